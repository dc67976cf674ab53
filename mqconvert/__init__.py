"""mqconvert: convert messages between broker protocols from one rule table."""
