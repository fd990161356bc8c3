/* The quickest bot there is: says hello, then answers every request with its default.
 *
 * Speaks msgpack frames with a skipper of forty lines and no library; for benchmarks, and as proof that the
 * protocol is small.  It trusts the arena: bounds are checked only where a frame is read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef const uint8_t *At;

static uint32_t big(At at, int bytes) {
    uint32_t value = 0;
    while (bytes--) value = value << 8 | *at++;
    return value;
}

/* Length of text at `at`, and in *text where it begins; -1 if there is no text. */
static int text_at(At at, At *text) {
    if ((*at & 0xe0) == 0xa0) { *text = at + 1; return *at & 0x1f; }
    if (*at == 0xd9) { *text = at + 2; return at[1]; }
    if (*at == 0xda) { *text = at + 3; return big(at + 1, 2); }
    return -1;
}

/* Elements of the list or pairs of the map at `at`; *inside is where they begin. */
static uint32_t count_at(At at, At *inside) {
    if (*at >> 4 == 0x8 || *at >> 4 == 0x9) { *inside = at + 1; return *at & 0xf; }
    if (*at == 0xdc || *at == 0xde) { *inside = at + 3; return big(at + 1, 2); }
    *inside = at + 5;
    return big(at + 1, 4);
}

static At skip(At at) {
    At inside, text;
    uint8_t b = *at;
    if (b < 0x80 || b >= 0xe0 || b == 0xc0 || b == 0xc2 || b == 0xc3) return at + 1;
    int length = text_at(at, &text);
    if (length >= 0) return text + length;
    if (b == 0xdb) return at + 5 + big(at + 1, 4);
    if (b >= 0xcc && b <= 0xcf) return at + 1 + (1 << (b - 0xcc));
    if (b >= 0xd0 && b <= 0xd3) return at + 1 + (1 << (b - 0xd0));
    if (b == 0xca) return at + 5;
    if (b == 0xcb) return at + 9;
    int map = b >> 4 == 0x8 || b == 0xde || b == 0xdf;
    uint32_t left = count_at(at, &inside) * (map ? 2 : 1);
    while (left--) inside = skip(inside);
    return inside;
}

/* The value under `key` in the map at `at`, or NULL. */
static At find(At at, const char *key) {
    At inside, text;
    uint32_t pairs = count_at(at, &inside);
    size_t wanted = strlen(key);
    while (pairs--) {
        int length = text_at(inside, &text);
        At value = skip(inside);
        if (length == (int)wanted && !memcmp(text, key, wanted)) return value;
        inside = skip(value);
    }
    return NULL;
}

static void send_frame(const uint8_t *payload, uint32_t size) {
    uint8_t frame[256] = {size >> 24, size >> 16, size >> 8, size};
    memcpy(frame + 4, payload, size);
    if (write(1, frame, size + 4) != (ssize_t)size + 4) exit(1);
}

static void answer(At request) {
    At id, choice = find(request, "default");
    text_at(find(request, "id"), &id);
    uint8_t out[64] = "\x82\xa4type\xa6" "answer\xa7" "answers\x91\x82\xa2id\xb0";
    size_t at = strlen((char *)out);
    memcpy(out + at, id, 16);
    memcpy(out + at + 16, "\xa6" "choice", 7);
    size_t width = skip(choice) - choice;
    memcpy(out + at + 23, choice, width);
    send_frame(out, at + 23 + width);
}

static int is(At text, int length, const char *word) {
    return length == (int)strlen(word) && !memcmp(text, word, length);
}

static void hear(At message) {
    At text, requests;
    int length = text_at(find(message, "type"), &text);
    if (is(text, length, "bye")) exit(0);
    if (is(text, length, "prepare")) send_frame((At) "\x81\xa4type\xa5ready", 12);
    if (!is(text, length, "ask")) return;
    uint32_t count = count_at(find(message, "requests"), &requests);
    while (count--) {
        answer(requests);
        requests = skip(requests);
    }
}

int main(void) {
    static uint8_t buffer[1 << 22];
    size_t held = 0;
    static const uint8_t hello[] = "\x83\xa4type\xa5hello\xa8protocol\x91\x01\xa4name\xa7trivial";
    send_frame(hello, sizeof hello - 1);
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - held);
        if (got <= 0) return 0;
        held += got;
        size_t at = 0;
        while (held - at >= 4 && held - at - 4 >= big(buffer + at, 4)) {
            hear(buffer + at + 4);
            at += 4 + big(buffer + at, 4);
        }
        memmove(buffer, buffer + at, held -= at);
    }
}
