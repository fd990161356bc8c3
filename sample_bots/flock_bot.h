/* Everything between your bot and the arena, in one header without a library: copy it next to your bot.
 *
 * A bot is a function.  It gets a request and returns the index of one of its options:
 *
 *     #include "flock_bot.h"
 *
 *     static int choose(struct flock_request *request) {
 *         for (int i = 0; i < request->count; i++)
 *             if (flock_is(flock_at(flock_at(request->options, i), 0), "play")) return i;
 *         return request->fallback;
 *     }
 *
 *     int main(void) {
 *         return flock_run((struct flock_bot){.name = "tiger", .choose = choose});
 *     }
 *
 * Whatever you look for and does not exist is nothing: it has no parts, its number is 0 and its text is empty.
 *
 * - Inside `flock_run`, printf is safe and goes to stderr; reading stdin finds its end at once.
 * - An index that is no option plays the request's default, and the match goes on.
 * - What you write into `request->note` (up to 200 characters, ASCII) is kept in the replay.
 * - The encoding is msgpack: say encoding = "msgpack" in bot.toml.  Later versions of the arena may add keys
 *   to messages, never take any away. */
#ifndef FLOCK_BOT_H
#define FLOCK_BOT_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLOCK_PROTOCOL 1
#define FLOCK_NOTE 201

#if defined(__GNUC__)
#define FLOCK static inline __attribute__((unused))
#else
#define FLOCK static inline
#endif

/* A part of a message; it lives as long as the call that was given it. */
typedef struct { const uint8_t *at, *end; } flock_value;

struct flock_request {
    flock_value view, options;     /* view is nothing if the bot wants events only */
    flock_value all;               /* the whole request: "match", "move", "question", "events", ... */
    int count;                     /* how many options there are */
    int fallback;                  /* the default: what is played for you if you fail */
    int time_ms;                   /* how long you may think */
    char note[FLOCK_NOTE];
};

struct flock_bot {
    const char *name, *version, *wants;        /* wants: "view" (the default), "events" or "both" */
    const char *const *games;                  /* ends with NULL; none means any */
    int tables;                                /* how many matches may go on at once; 0 means one */
    int (*choose)(struct flock_request *);
    void (*prepare)(flock_value);              /* optional: the messages as they came, */
    void (*start)(flock_value);                /* for example flock_int(flock_get(start, "seat")) */
    void (*end)(flock_value);
};

/* --- Reading: every message is walked once, within its bounds, before anybody looks at it ----------------- */

#define FLOCK_DEPTH 64

FLOCK uint64_t flock_big(const uint8_t *at, int width) {
    uint64_t value = 0;
    while (width--) value = value << 8 | *at++;
    return value;
}

/* What kind of value this is: one of "nil bool int float text list map", by its first letter; 0 is none.
 * *head is where its contents begin, *size how many bytes, parts or pairs they are. */
FLOCK char flock_kind(flock_value value, const uint8_t **head, uint64_t *size) {
    static const uint8_t widths[32] = {                      /* of what follows the bytes from 0xc0 on */
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4};
    static const char kinds[33] = "n-bb------ffiiiiiiii-----tttllmm";
    if (!value.at || value.at >= value.end) return 0;
    uint8_t first = *value.at;
    *head = value.at + 1;
    *size = 0;
    if (first < 0x80 || first >= 0xe0) return 'i';
    if (first < 0xc0) {
        *size = first & (first >= 0xa0 ? 0x1f : 0x0f);
        return first < 0x90 ? 'm' : first < 0xa0 ? 'l' : 't';
    }
    int width = widths[first - 0xc0];
    char kind = kinds[first - 0xc0];
    if (kind == '-' || value.end - *head < width) return 0;
    *size = kind == 'i' || kind == 'f' ? (uint64_t)width : flock_big(*head, width);
    if (kind != 'i' && kind != 'f') *head += width;
    return kind;
}

/* Where the value ends, or NULL if it is broken or too deep. */
FLOCK const uint8_t *flock_skip(flock_value value, int depth) {
    const uint8_t *at;
    uint64_t size;
    char kind = flock_kind(value, &at, &size);
    if (!kind || depth > FLOCK_DEPTH) return NULL;
    if (kind != 'l' && kind != 'm') return size <= (uint64_t)(value.end - at) ? at + size : NULL;
    for (uint64_t left = kind == 'm' ? 2 * size : size; left && at; left--)
        at = flock_skip((flock_value){at, value.end}, depth + 1);
    return at;
}

/* How many parts a list, or pairs a map has. */
FLOCK int flock_count(flock_value value) {
    const uint8_t *at;
    uint64_t size;
    char kind = flock_kind(value, &at, &size);
    return kind == 'l' || kind == 'm' ? (int)size : 0;
}

/* A part of a list; of a map, keys and values take turns. */
FLOCK flock_value flock_at(flock_value value, int index) {
    const uint8_t *at;
    uint64_t size;
    char kind = flock_kind(value, &at, &size);
    uint64_t parts = kind == 'l' ? size : kind == 'm' ? 2 * size : 0;
    if (index < 0 || (uint64_t)index >= parts) return (flock_value){NULL, NULL};
    while (index-- && at) at = flock_skip((flock_value){at, value.end}, 0);
    return (flock_value){at, value.end};
}

/* Whether this is that text. */
FLOCK int flock_is(flock_value value, const char *text) {
    const uint8_t *at;
    uint64_t size;
    return flock_kind(value, &at, &size) == 't' && size == strlen(text) && !memcmp(at, text, size);
}

/* The value under a key of a map. */
FLOCK flock_value flock_get(flock_value map, const char *key) {
    const uint8_t *at;
    uint64_t pairs;
    if (flock_kind(map, &at, &pairs) != 'm') pairs = 0;
    while (pairs--) {
        flock_value name = {at, map.end}, value = {flock_skip(name, 0), map.end};
        if (flock_is(name, key)) return value;
        at = flock_skip(value, 0);
    }
    return (flock_value){NULL, NULL};
}

FLOCK int flock_is_nil(flock_value value) { return !value.at || *value.at == 0xc0; }

FLOCK double flock_number(flock_value value) {
    const uint8_t *at;
    uint64_t size;
    char kind = flock_kind(value, &at, &size);
    if (kind == 'b') return *value.at == 0xc3;
    if (kind == 'f') {
        union { uint64_t bits; double number; } wide = {.bits = flock_big(at, (int)size)};
        union { uint32_t bits; float number; } narrow = {.bits = (uint32_t)wide.bits};
        return size == 8 ? wide.number : (double)narrow.number;
    }
    if (kind != 'i') return 0;
    if (!size) return (int8_t)*value.at;
    uint64_t bits = flock_big(at, (int)size);
    if (*value.at < 0xd0) return (double)bits;
    int unused = 64 - 8 * (int)size;
    return (double)((int64_t)(bits << unused) >> unused);
}

/* A number, or 1 for true. */
FLOCK int flock_int(flock_value value) { return (int)flock_number(value); }

/* Copy a text, cut to the room there is; returns the buffer. */
FLOCK const char *flock_text(flock_value value, char *buffer, size_t room) {
    const uint8_t *at;
    uint64_t size;
    if (flock_kind(value, &at, &size) != 't') size = 0;
    if (size >= room) size = room - 1;
    if (size) memcpy(buffer, at, size);
    buffer[size] = 0;
    return buffer;
}

/* --- Writing: an arena reads frames of 64 KiB at most ----------------------------------------------------- */

FLOCK int flock_fail(const char *why) {
    fprintf(stderr, "flock_bot: %s\n", why);
    return 1;
}

struct flock_frame { uint8_t bytes[4 + (1 << 16)]; size_t size; };

FLOCK void flock_put(struct flock_frame *frame, const void *bytes, size_t size) {
    if (size > sizeof frame->bytes - frame->size) exit(flock_fail("a message is longer than 64 KiB"));
    if (size) memcpy(frame->bytes + frame->size, bytes, size);
    frame->size += size;
}

FLOCK void flock_put_big(struct flock_frame *frame, int first, uint64_t value, int width) {
    uint8_t out[9] = {(uint8_t)first};
    for (int place = 0; place < width; place++) out[width - place] = (uint8_t)(value >> 8 * place);
    flock_put(frame, out, (size_t)width + 1);
}

FLOCK void flock_put_int(struct flock_frame *frame, int64_t value) {
    int small = value >= -32 && value < 128, step = 0;
    uint64_t spread = value < 0 ? ~(uint64_t)value << 1 : (uint64_t)value;
    while (step < 3 && spread >> (8 << step)) step++;
    int first = small ? (uint8_t)value : (value < 0 ? 0xd0 : 0xcc) + step;
    flock_put_big(frame, first, (uint64_t)value, small ? 0 : 1 << step);
}

FLOCK void flock_put_text(struct flock_frame *frame, const char *text, size_t size) {
    int step = size < 256 ? 0 : size < 65536 ? 1 : 2;
    flock_put_big(frame, size < 32 ? 0xa0 | (int)size : 0xd9 + step, size, size < 32 ? 0 : 1 << step);
    flock_put(frame, text, size);
}

FLOCK void flock_put_word(struct flock_frame *frame, const char *text) { flock_put_text(frame, text, strlen(text)); }
FLOCK void flock_put_list(struct flock_frame *frame, int parts) {
    flock_put_big(frame, parts < 16 ? 0x90 | parts : 0xdc, (uint64_t)parts, parts < 16 ? 0 : 2);
}
FLOCK void flock_put_map(struct flock_frame *frame, int pairs) { flock_put_big(frame, 0x80 | pairs, 0, 0); }

FLOCK void flock_begin(struct flock_frame *frame, int pairs, const char *type) {
    frame->size = 4;
    flock_put_map(frame, pairs);
    flock_put_word(frame, "type");
    flock_put_word(frame, type);
}

FLOCK void flock_send(int arena, struct flock_frame *frame) {
    uint32_t size = (uint32_t)frame->size - 4;
    for (int place = 0; place < 4; place++) frame->bytes[3 - place] = (uint8_t)(size >> 8 * place);
    for (size_t sent = 0; sent < frame->size;) {
        ssize_t now = write(arena, frame->bytes + sent, frame->size - sent);
        if (now < 0 && errno != EINTR) exit(0);    /* the arena hung up while we spoke: the same end as `bye` */
        sent += now < 0 ? 0 : (size_t)now;
    }
}

/* --- The conversation ------------------------------------------------------------------------------------- */

FLOCK void flock_say_hello(int arena, struct flock_frame *frame, const struct flock_bot *bot) {
    int games = 0;
    while (bot->games && bot->games[games]) games++;
    flock_begin(frame, 7, "hello");
    flock_put_word(frame, "protocol"), flock_put_list(frame, 1), flock_put_int(frame, FLOCK_PROTOCOL);
    flock_put_word(frame, "name"), flock_put_word(frame, bot->name ? bot->name : "bot");
    flock_put_word(frame, "version"), flock_put_word(frame, bot->version ? bot->version : "0.1");
    flock_put_word(frame, "games"), flock_put_list(frame, games);
    for (int game = 0; game < games; game++) flock_put_word(frame, bot->games[game]);
    flock_put_word(frame, "tables"), flock_put_int(frame, bot->tables > 0 ? bot->tables : 1);
    flock_put_word(frame, "wants"), flock_put_word(frame, bot->wants ? bot->wants : "view");
    flock_send(arena, frame);
}

FLOCK void flock_answer(int arena, struct flock_frame *frame, const struct flock_bot *bot, flock_value all) {
    struct flock_request request = {.view = flock_get(all, "view"), .options = flock_get(all, "options"), .all = all};
    char id[32];
    request.count = flock_count(request.options);
    request.fallback = flock_int(flock_get(all, "default"));
    request.time_ms = flock_int(flock_get(all, "time_ms"));
    int choice = bot->choose(&request);
    if (choice < 0 || choice >= request.count) {
        fprintf(stderr, "flock_bot: the answer %d is no index: the options are 0 to %d\n", choice, request.count - 1);
        choice = request.fallback;
    }
    request.note[FLOCK_NOTE - 1] = 0;
    for (char *c = request.note; *c; c++) *c = *c < ' ' || *c > '~' ? '?' : *c;
    flock_begin(frame, 2, "answer");
    flock_put_word(frame, "answers"), flock_put_list(frame, 1), flock_put_map(frame, *request.note ? 3 : 2);
    flock_put_word(frame, "id"), flock_put_word(frame, flock_text(flock_get(all, "id"), id, sizeof id));
    flock_put_word(frame, "choice"), flock_put_int(frame, choice);
    if (*request.note) flock_put_word(frame, "note"), flock_put_word(frame, request.note);
    flock_send(arena, frame);
}

FLOCK void flock_complain(flock_value message, const char *type) {
    char text[512];
    flock_text(flock_get(message, "text"), text, sizeof text);
    fprintf(stderr, "flock_bot: the arena says %s: %s\n", type, text);
}

FLOCK void flock_hear(int arena, struct flock_frame *frame, const struct flock_bot *bot, flock_value message) {
    flock_value type = flock_get(message, "type"), requests = flock_get(message, "requests");
    if (flock_is(type, "ask"))
        for (int i = 0; i < flock_count(requests); i++) flock_answer(arena, frame, bot, flock_at(requests, i));
    if (flock_is(type, "prepare")) {
        if (bot->prepare) bot->prepare(message);
        flock_begin(frame, 1, "ready");
        flock_send(arena, frame);
    }
    if (flock_is(type, "start") && bot->start) bot->start(message);
    if (flock_is(type, "end") && bot->end) bot->end(message);
    if (flock_is(type, "forced")) flock_complain(message, "forced");
    if (flock_is(type, "error")) flock_complain(message, "error");
    if (flock_is(type, "bye")) exit(0);
}

/* Keep the real stdin and stdout; leave an empty one and stderr to prints, libraries and children. */
FLOCK void flock_take_pipes(int *from_arena, int *to_arena) {
    int nothing = open("/dev/null", O_RDONLY);
    *from_arena = dup(0), *to_arena = dup(1);
    dup2(nothing, 0), dup2(2, 1), close(nothing);
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGPIPE, SIG_IGN);
}

/* Play until the arena says `bye` or hangs up; returns what main should. */
FLOCK int flock_run(struct flock_bot bot) {
    static struct flock_frame frame;
    const char *encoding = getenv("ARENA_ENCODING");
    if (!encoding || strcmp(encoding, "msgpack")) return flock_fail("say encoding = \"msgpack\" in bot.toml");
    int from_arena, to_arena;
    flock_take_pipes(&from_arena, &to_arena);
    flock_say_hello(to_arena, &frame, &bot);
    size_t room = 1 << 16, held = 0;
    uint8_t *waiting = malloc(room);
    while (waiting) {
        ssize_t got = read(from_arena, waiting + held, room - held);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        held += (size_t)got;
        size_t at = 0;
        while (held - at >= 4 && held - at - 4 >= flock_big(waiting + at, 4)) {
            flock_value message = {waiting + at + 4, waiting + at + 4 + flock_big(waiting + at, 4)};
            if (flock_skip(message, 0) != message.end) return flock_fail("the arena sent a broken message");
            flock_hear(to_arena, &frame, &bot, message);
            at += 4 + flock_big(waiting + at, 4);
        }
        memmove(waiting, waiting + at, held -= at);
        if (held == room) waiting = realloc(waiting, room *= 2);
    }
    return flock_fail("out of memory");
}

#endif
