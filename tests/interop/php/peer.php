<?php
// A peer of PHPMQ, written from the protocol's description alone: `php peer.php read` prints each message on its standard input
// as a line of JSON, `php peer.php write` reads such lines and writes the messages. Contents of packets are in base64.

const PACKETS = [1 => [1, 2, 5], 2 => [1, 4], 3 => [1, 2, 3, 5], 4 => [1, 3], 5 => [1, 3, 5], 6 => [1, 3]];

function part(string $bytes, int &$at, int $length): string
{
    $part = substr($bytes, $at, $length);
    if (strlen($part) !== $length) {
        throw new RuntimeException("$length bytes expected at $at");
    }
    $at += $length;
    return $part;
}

function number(string $digits): int
{
    if (!ctype_digit($digits)) {
        throw new RuntimeException("no number: $digits");
    }
    return intval($digits, 10);
}

function read_message(string $bytes, int &$at): array
{
    $header = part($bytes, $at, 8);
    if ($header[0] !== 'H' || substr($header, 1, 2) !== '01') {
        throw new RuntimeException("no header: $header");
    }
    $type = number(substr($header, 3, 3));
    $packets = [];
    for ($left = number(substr($header, 6, 2)); $left > 0; $left--) {
        $header = part($bytes, $at, 32);
        if ($header[0] !== 'P') {
            throw new RuntimeException("no packet: $header");
        }
        $packets[number(substr($header, 1, 2))] = base64_encode(part($bytes, $at, number(substr($header, 3))));
    }
    if (array_keys($packets) !== PACKETS[$type]) {
        throw new RuntimeException("other packets than those of type $type");
    }
    return ['type' => $type, 'packets' => (object) $packets];
}

function write_message(array $message): string
{
    $type = $message['type'];
    $made = 'H01' . str_pad((string) $type, 3, '0', STR_PAD_LEFT) . str_pad((string) count(PACKETS[$type]), 2, '0', STR_PAD_LEFT);
    foreach (PACKETS[$type] as $packet) {
        $content = base64_decode($message['packets'][(string) $packet], true);
        $made .= sprintf('P%02d%029d', $packet, strlen($content)) . $content;
    }
    return $made;
}

if ($argv[1] === 'write') {
    while (($line = fgets(STDIN)) !== false) {
        fwrite(STDOUT, write_message(json_decode($line, true, 8, JSON_THROW_ON_ERROR)));
    }
} else {
    $bytes = stream_get_contents(STDIN);
    for ($at = 0; $at < strlen($bytes);) {
        fwrite(STDOUT, json_encode(read_message($bytes, $at), JSON_THROW_ON_ERROR) . "\n");
    }
}
