"""Every `code` that only the doors give, beside those of the library (converters/codes.py). Stable, too."""

DOOR_CODES = {
    "bad_request": "a request or line that is not of the form asked for; `field` says where",
    "bad_http": "octets that are no HTTP request",
    "http_error": "anything else that HTTP has a status for",
    "method_not_allowed": "no such method at this address",
    "not_found": "nothing at this address",
    "too_busy": "more requests at once than MQCONVERT_CONCURRENCY; try again after `Retry-After`",
    "too_many": "more messages in a request than MQCONVERT_MAX_MESSAGES; the rest was not read",
    "unauthorized": "the bearer token is missing or wrong",
    "bad_path": "a path that cannot be read or written",
    "mismatch": "rows of a batch job that do not add up: neither converted nor rejected, or both",
    "lease_lost": "a batch job that was taken for dead, so that another run took its output over",
    "no_java": "no Java for Spark",
    "not_started": "Spark did not start; the message has its reason",
    "output_busy": "another batch job writes to this output; the message names it",
    "wrong_java": "a Java that is too old for Spark",
    "output_exists": "an output that is there, without `--overwrite`",
    "stream_failed": "a stream on Spark that ended by an error",
    "too_little_memory": "less memory than Spark needs, or than was asked for",
    "too_many_rejects": "more rows are rejected than `--max-reject-share` allows",
}
