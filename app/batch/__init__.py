"""The Spark job: `mqconvert batch`. What converts is `mqconvert.converters.spark`; this reads, writes, counts and checks."""
