// Everything between your bot and the arena, in one file without packages: copy it next to your bot.
//
// A bot is a function.  It gets what its seat may see and the options it may choose from, and returns
// the index of one of them:
//
//     import { run } from "./flock_bot.mjs";
//
//     run((view, options) => 0);
//
// A bot that remembers is a class; every match gets an instance of its own:
//
//     run(class {
//         start(start) { this.asked = 0; }       // optional; start.seat, start.seats, start.clock, ...
//         ask(request) {                         // request.view, request.options, request.time_ms, ...
//             this.asked += 1;
//             return [request.default, `decision ${this.asked}`];
//         }
//         end(end) { console.log(end.ranks); }   // optional; end.ranks, end.scores, ...
//     }, { tables: 4 });
//
// Both may return [index, note] in place of an index: the note, up to 200 characters, is kept in the
// replay.  Both may return a promise: other tables go on meanwhile.  Later versions of the arena may add
// keys to messages, never take any away.
//
// - From `run` on, console.log and process.stdout.write are safe and go to stderr.
// - If your code throws, the stack goes to stderr, the request's default is played and the match goes on.
// - `random()` is Math.random with the seed the arena sent for the match: it can be played again.
// - ARENA_ENCODING says how messages are written: json (lines, and the default) or msgpack.
// - On another machine than the arena, or in a web page: run(bot, { url: "wss://arena.example", token: "…" }).
//   It plays until you stop it; when the line breaks it comes back, and nothing is lost.  The arena must allow a
//   page's origin (--bots-origin).

const PROTOCOL = 1;
const NOTE_CHARS = 200;
// An arena reads frames of 64 KiB at most; with the longest notes these many answers still fit.
const ANSWERS_TOGETHER = 50;
// Who thinks for longer than this sends each answer at once, so that no table waits for another.
const QUICK_MS = 1;

let state = 0x9e3779b9;

/** A number from 0 up to 1, the same ones whenever the same match is played again. */
export function random() {
    // mulberry32, public domain by Tommy Ettinger
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function sow(seed) {
    state = 0x811c9dc5; // FNV-1a
    for (const char of String(seed)) state = Math.imul(state ^ char.codePointAt(0), 0x01000193);
}

/**
 * Play until the arena says `bye` or hangs up.
 *
 * `bot` is a function choose(view, options), a class with a method ask(request), or an object with one,
 * which then plays all matches.  No `games` means any, `tables` is how many matches may go on at once,
 * `wants` is "view", "events" or "both", and `prepare(game, variant)` the place to load what takes long.
 * `url` and `token` lead to an arena on another machine.
 */
export function run(bot, options = {}) {
    if (!options.url) return converse(bot, options, stdio());
    const again = () => converse(bot, options, remote(options.url, options.token ?? "", again));
    return again();
}

function converse(bot, { name, version = "0.1", games = [], tables = 1, wants = "view", prepare }, arena) {
    const players = new Players(bot);
    const hear = {
        welcome: (message) => sow(message.seed),
        prepare: async (message) => {
            if (prepare) await prepare(message.game, message.variant);
            arena.send({ type: "ready" });
        },
        start: (message) => {
            if (message.seed) sow(message.seed);
            players.tell(message);
        },
        ask: (message) => answer(arena, players, message.requests),
        end: (message) => players.tell(message),
        forced: complain,
        error: complain,
        bye: () => arena.close(),
    };
    arena.listen((message) => Object.hasOwn(hear, message.type) && hear[message.type](message));
    arena.send({
        type: "hello", protocol: [PROTOCOL], name: name ?? arena.name, version, games: [...games], tables, wants,
    });
}

function answer(arena, players, requests) {
    let answers = [];
    let began = performance.now();
    const send = () => {
        if (answers.length) arena.send({ type: "answer", answers });
        answers = [];
        began = performance.now();
    };
    for (const request of requests) {
        const said = players.answer(request);
        if (said instanceof Promise) {
            said.then((late) => arena.send({ type: "answer", answers: [late] }));
            continue;
        }
        answers.push(said);
        if (answers.length === ANSWERS_TOGETHER || performance.now() - began > QUICK_MS) send();
    }
    send();
}

function complain({ type, ...said }) {
    console.error(`flock_bot: the arena says ${type}: ${JSON.stringify(said)}`);
}

/** Who sits at which match; nothing they throw gets past here. */
class Players {
    constructor(bot) {
        const isClass = typeof bot === "function" && typeof bot.prototype?.ask === "function";
        const everywhere = typeof bot?.ask === "function" ? bot : { ask: ({ view, options }) => bot(view, options) };
        this.invite = isClass ? () => new bot() : () => everywhere;
        this.seated = new Map();
    }

    player(match) {
        if (!this.seated.has(match)) this.seated.set(match, this.invite());
        return this.seated.get(match);
    }

    tell(message) {
        try {
            this.player(message.match)[message.type]?.(message);
        } catch (error) {
            console.error(error);
        }
        if (message.type === "end") this.seated.delete(message.match);
    }

    answer(request) {
        const failed = (error) => {
            console.error(error);
            return reply(request, request.default, `exception: ${error}`);
        };
        const settle = (said) => {
            const [choice, note] = Array.isArray(said) ? said : [said, ""];
            if (!Number.isInteger(choice)) {
                throw new TypeError(`the answer is the index of an option, a number, not ${JSON.stringify(choice)}`);
            }
            const last = request.options.length - 1;
            if (choice < 0 || choice > last) {
                throw new RangeError(`the answer ${choice} is no index: the options are 0 to ${last}`);
            }
            return reply(request, choice, note);
        };
        try {
            const said = this.player(request.match).ask(request);
            return said instanceof Promise ? said.then(settle).catch(failed) : settle(said);
        } catch (error) {
            return failed(error);
        }
    }
}

function reply({ id }, choice, note) {
    if (!note) return { id, choice };
    // The arena refuses what would garble the line in which a note is shown.
    const sendable = [...String(note)].slice(0, NOTE_CHARS).join("").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
    return { id, choice, note: sendable };
}

// --- Ways to the arena: each has a name, send(message), listen(hear) and close() ---------------------------

/** The pipes of a Node process; whatever else is printed goes to stderr. */
function stdio() {
    const encoding = process.env.ARENA_ENCODING ?? "json";
    if (!Object.hasOwn(codecs, encoding)) {
        console.error(`flock_bot: ARENA_ENCODING is "${encoding}"; it can be json or msgpack`);
        process.exit(1);
    }
    const codec = codecs[encoding];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = process.stderr.write.bind(process.stderr);
    process.stdout.on("error", () => process.exit(0)); // the arena hung up while we spoke: the same end as `bye`
    const folder = (process.argv[1] ?? "").split("/").at(-2);
    return {
        name: (folder || process.cwd().split("/").at(-1) || "bot").slice(0, 64),
        send: (message) => write(codec.frame(message)),
        listen: (hear) => {
            const read = codec.reader();
            process.stdin.on("data", (bytes) => read(bytes).forEach(hear));
            process.stdin.on("end", () => process.exit(0));
        },
        close: () => process.exit(0),
    };
}

/**
 * A websocket.  Both sides count messages: when the line breaks it is dialled again, and each side repeats what the
 * other missed.  `again` begins the next conversation: here, `bye` is the end of one sitting.
 */
function remote(url, token, again) {
    const session = Array.from({ length: 8 }, () => Math.floor(256 * random_()).toString(16)).join("");
    const comeAgain = [1000, 1001, 1012, 4410]; // the sitting is over, the arena stops, or it has forgotten us
    if (!/^wss?:\/\/[^/]/.test(url)) return fail(`"${url}" is no address of an arena; it looks like ws://127.0.0.1:8765`);
    let [got, said, pause, over, complained] = [0, 0, 100, false, false];
    let kept = [];
    let hear = () => {};
    let line = null;
    const later = (ms, what) => setTimeout(what, ms * (0.5 + random_()));
    const end = (ms) => {
        if (over) return;
        over = true;
        line?.close();
        later(ms, again);
    };
    const connect = () => {
        const where = new URL(url);
        where.search = new URLSearchParams({ session, got, begins: said - kept.length });
        line = null;
        dial(where, token, {
            open(opened) {
                [line, pause, complained] = [opened, 100, false];
                kept.forEach(line.send);
            },
            message(text) {
                if (over) return;
                got += 1;
                hear(JSON.parse(text));
            },
            close(code, reason) {
                line = null;
                if (over) return;
                if (comeAgain.includes(code)) return end(pause);
                if (code !== 1006) return fail(`the arena closed with ${code}: ${reason}`);
                if (reason && !complained) {
                    complained = true;
                    console.error(`flock_bot: cannot reach the arena, and goes on trying: ${reason}`);
                }
                later(pause, connect);
                pause = Math.min(2 * pause, 5000);
            },
            busy: (seconds) => later(2000 * seconds, connect),
        });
    };
    connect();
    return {
        name: "remote",
        send(message) {
            const text = JSON.stringify(message);
            said += 1;
            kept = [...kept.slice(-63), text];
            line?.send(text);
        },
        listen: (listener) => (hear = listener),
        close: () => end(0),
    };
}

/** There is nothing more to try. */
function fail(why) {
    if (!globalThis.process) throw new Error(`flock_bot: ${why}`);
    console.error(`flock_bot: ${why}`);
    process.exit(1);
}

const random_ = Math.random; // not the bot's own: those who lost the line together must not return together

/** Opens a line and tells what happens to it. */
function dial(url, token, events) {
    if (globalThis.process?.versions?.node) return void dialFromNode(url, token, events);
    // A browser can send no headers of its own; the token travels as the name of a subprotocol.
    const socket = new WebSocket(url, ["flock.json", `bearer.${token}`]);
    let lost = (code, reason) => {
        lost = () => {};
        events.close(code, reason);
    };
    socket.onopen = () => events.open({ send: (text) => socket.send(text), close: () => socket.close(1000) });
    socket.onmessage = ({ data }) => events.message(data);
    const unsaid = "a page is not told why; it may be the address, the token, or this page's origin";
    socket.onerror = () => socket.readyState !== WebSocket.OPEN && lost(1006, unsaid);
    socket.onclose = ({ code, reason }) => lost(code, reason);
}

/** Node 18 and 20 have no websockets; and here the reason of a refusal can be read. */
async function dialFromNode(url, token, events) {
    const secure = url.protocol === "wss:";
    const { request } = await import(secure ? "node:https" : "node:http");
    const { randomBytes } = await import("node:crypto");
    const asked = request(`${secure ? "https" : "http"}:${url.href.slice(url.protocol.length)}`, {
        headers: {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": randomBytes(16).toString("base64"), "Sec-WebSocket-Protocol": "flock.json",
            "Authorization": `Bearer ${token}`,
        },
    });
    asked.on("error", ({ code = "", message }) => {
        if (/CERT|SIGNATURE/.test(code)) {
            const own = "If it is your arena's own, say where it is: NODE_EXTRA_CA_CERTS=certificate.pem";
            return fail(`the certificate of ${url.hostname} is not trusted (${message}). ${own}`);
        }
        if (code === "EPROTO") return fail(`${url.host} speaks no TLS; write ws:// instead of wss://`);
        const mute = code === "ECONNRESET" || code.startsWith("HPE_");
        const why = mute ? "it hung up without an answer; if it has a certificate, write wss://" : message || code;
        return events.close(1006, why);
    });
    asked.on("response", (refusal) => {
        refusal.setEncoding("utf-8");
        let text = "";
        refusal.on("data", (more) => (text += more));
        refusal.on("end", () => {
            const seconds = Number(refusal.headers["retry-after"]);
            if (seconds) return events.busy(seconds);
            return fail(`the arena refuses (${refusal.statusCode}). ${text.trim()}`);
        });
    });
    asked.on("upgrade", (_, socket, head) => {
        let waiting = head;
        let closed = [1006, ""];
        socket.setNoDelay(true);
        const write = (kind, payload) => {
            const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
            const key = randomBytes(4);
            const hidden = payload.map((byte, at) => byte ^ key[at & 3]);
            socket.write(Buffer.concat([Buffer.from([128 | kind, 128 | size[0], ...size.slice(1)]), key, hidden]));
        };
        const read = (data) => {
            waiting = Buffer.concat([waiting, data]);
            for (;;) {
                if (waiting.length < 2) return;
                const wide = { 126: 2, 127: 8 }[waiting[1]] ?? 0;
                if (waiting.length < 2 + wide) return;
                const size = wide ? Number(BigInt(`0x${waiting.toString("hex", 2, 2 + wide)}`)) : waiting[1];
                const begin = 2 + wide;
                if (waiting.length < begin + size) return;
                const [kind, payload] = [waiting[0] & 15, waiting.subarray(begin, begin + size)];
                waiting = waiting.subarray(begin + size);
                if (kind === 9) write(10, payload);
                else if (kind === 8) closed = [payload.length > 1 ? payload.readUInt16BE(0) : 1005, String(payload.subarray(2))];
                else if (kind === 1) events.message(payload.toString());
                if (kind === 8) return socket.end();
            }
        };
        socket.on("data", read);
        socket.on("error", () => {});
        socket.on("close", () => events.close(...closed));
        events.open({ send: (text) => write(1, Buffer.from(text)), close: () => socket.end() });
        read(Buffer.alloc(0));
    });
    asked.end();
}

// --- Encodings: a message to the bytes of its frame, and bytes as they come to messages --------------------

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function joined(left, right) {
    if (!left.length) return right;
    const both = new Uint8Array(left.length + right.length);
    both.set(left);
    both.set(right, left.length);
    return both;
}

const jsonLines = {
    frame: (message) => encoder.encode(JSON.stringify(message) + "\n"),

    reader() {
        let waiting = [];
        return (bytes) => {
            const messages = [];
            let begin = 0;
            for (let end; (end = bytes.indexOf(10, begin)) >= 0; begin = end + 1) {
                const line = decoder.decode(joined(waiting, bytes.subarray(begin, end)));
                waiting = [];
                if (line.trim()) messages.push(JSON.parse(line));
            }
            waiting = joined(waiting, bytes.slice(begin));
            return messages;
        };
    },
};

/** Four bytes of length, then a map. */
const msgpack = {
    frame(message) {
        const bytes = [0, 0, 0, 0];
        pack(message, bytes);
        const frame = Uint8Array.from(bytes);
        new DataView(frame.buffer).setUint32(0, frame.length - 4);
        return frame;
    },

    reader() {
        let waiting = new Uint8Array(0);
        return (bytes) => {
            const messages = [];
            waiting = joined(waiting, bytes);
            const view = new DataView(waiting.buffer, waiting.byteOffset, waiting.length);
            let at = 0;
            while (waiting.length - at >= 4) {
                const end = at + 4 + view.getUint32(at);
                if (end > waiting.length) break;
                messages.push(unpack({ view, at: at + 4 }));
                at = end;
            }
            waiting = waiting.slice(at);
            return messages;
        };
    },
};

export const codecs = { json: jsonLines, msgpack };

function pack(value, out) {
    if (value === null || value === undefined) out.push(0xc0);
    else if (typeof value === "boolean") out.push(value ? 0xc3 : 0xc2);
    else if (typeof value === "number") packNumber(value, out);
    else if (typeof value === "string") {
        const bytes = encoder.encode(value);
        packHead(bytes.length, 32, 0xa0, [[1, 0xd9], [2, 0xda], [4, 0xdb]], out);
        for (const byte of bytes) out.push(byte);
    } else if (Array.isArray(value)) {
        packHead(value.length, 16, 0x90, [[2, 0xdc], [4, 0xdd]], out);
        for (const part of value) pack(part, out);
    } else {
        const pairs = Object.entries(value);
        packHead(pairs.length, 16, 0x80, [[2, 0xde], [4, 0xdf]], out);
        for (const part of pairs.flat(1)) pack(part, out);
    }
}

function packHead(size, fits, first, wider, out) {
    if (size < fits) return out.push(first | size);
    const [width, byte] = wider.find(([width]) => size < 256 ** width);
    return packBig(size, width, byte, out);
}

function packBig(value, width, byte, out) {
    out.push(byte);
    for (let place = width - 1; place >= 0; place--) out.push(Math.floor(value / 256 ** place) & 0xff);
}

function packNumber(value, out) {
    if (!Number.isSafeInteger(value)) {
        const view = new DataView(new ArrayBuffer(8));
        view.setFloat64(0, value);
        out.push(0xcb, ...new Uint8Array(view.buffer));
    } else if (value >= -32 && value < 128) out.push(value & 0xff);
    else {
        const first = value < 0 ? 0xd0 : 0xcc;
        const width = [1, 2, 4, 8].find((w) => (value < 0 ? value >= -(256 ** w / 2) : value < 256 ** w));
        packBig(value, width, first + Math.log2(width), out);
    }
}

/** The value at `from.at`, which is moved behind it. */
function unpack(from) {
    const { view } = from;
    const skip = (width) => (from.at += width) - width;
    const size = (width) => view[`getUint${8 * width}`](skip(width));
    const text = (length) => decoder.decode(new Uint8Array(view.buffer, view.byteOffset + skip(length), length));
    const list = (length) => Array.from({ length }, () => unpack(from));
    const map = (length) => Object.fromEntries(Array.from({ length }, () => [unpack(from), unpack(from)]));
    const first = view.getUint8(skip(1));
    if (first < 0x80) return first;
    if (first < 0x90) return map(first & 0x0f);
    if (first < 0xa0) return list(first & 0x0f);
    if (first < 0xc0) return text(first & 0x1f);
    if (first >= 0xe0) return first - 256;
    switch (first) {
        case 0xc0: return null;
        case 0xc2: return false;
        case 0xc3: return true;
        case 0xca: return view.getFloat32(skip(4));
        case 0xcb: return view.getFloat64(skip(8));
        case 0xcc: case 0xcd: case 0xce: return size(1 << (first - 0xcc));
        case 0xcf: return Number(view.getBigUint64(skip(8)));
        case 0xd0: return view.getInt8(skip(1));
        case 0xd1: return view.getInt16(skip(2));
        case 0xd2: return view.getInt32(skip(4));
        case 0xd3: return Number(view.getBigInt64(skip(8)));
        case 0xd9: case 0xda: case 0xdb: return text(size(1 << (first - 0xd9)));
        case 0xdc: case 0xdd: return list(size(2 << (first - 0xdc)));
        case 0xde: case 0xdf: return map(size(2 << (first - 0xde)));
        default: throw new Error(`byte 0x${first.toString(16)} is not msgpack as the arena speaks it`);
    }
}
