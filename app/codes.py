"""Every `code` that only the doors give, beside those of the library (converters/codes.py). Stable, too."""

DOOR_CODES = {
    "bad_media_type": "a Content-Type or Content-Encoding that the route does not take",
    "draining": "a shutdown has begun: send requests elsewhere",
    "timeout": "a body that did not come in time (MQCONVERT_BODY_TIMEOUT, MQCONVERT_MIN_RATE)",
    "bad_request": "a request or line that is not of the form asked for; `field` says where",
    "bad_http": "malformed HTTP, or Content-Length together with Transfer-Encoding",
    "http_error": "anything else that HTTP has a status for",
    "method_not_allowed": "no such method at this address",
    "not_found": "nothing at this address",
    "too_busy": "more requests, bytes or connections at once than the limit that the message names; try again later",
    "unauthorized": "the bearer token is missing or wrong",
    "bad_path": "a path that cannot be read or written",
    "mismatch": "rows of a batch job that do not add up: neither converted nor rejected, or both",
    "no_java": "no Java for Spark",
    "wrong_java": "a Java that is too old for Spark",
    "output_exists": "an output that is there, without `--overwrite`",
    "stream_failed": "a stream on Spark that ended by an error",
    "too_little_memory": "less memory than Spark needs, or than was asked for",
    "too_many_rejects": "more rows are rejected than `--max-reject-share` allows",
}
