"""The browser's libraries, unchanged from their npm packages. vendor.json lists them, `make vendor` fetches them."""
