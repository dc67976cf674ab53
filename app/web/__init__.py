"""The page at `/`, without anything from elsewhere; it knows what /v1/convert answers and no more."""
