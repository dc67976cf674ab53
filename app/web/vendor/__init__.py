"""The browser's libraries, as their npm packages have them: vendor.json lists them, `make vendor` fetches them."""
