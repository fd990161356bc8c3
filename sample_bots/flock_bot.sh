# Everything between your bot and the arena: JSON lines, spoken by one jq.  Copy it next to your bot.
#
#     . ./flock_bot.sh
#     run '.options | length - 1'
#
# The filter is given a request (.view, .options, .default, .time_ms, ...) and makes the index of an option, or
# [index, note].  If it fails or makes no index, the default is played and the match goes on.  jq prints to stderr
# by `debug`; so does all that your script prints after this file was read.
exec 3>&1 >&2

run() {
    exec jq --null-input --compact-output --unbuffered --arg name "${2:-${PWD##*/}}" '
        def choose: '"$1"'
        ;
        def index_of($count):
            if type == "number" and . >= 0 and . < $count and . == floor then floor
            else error("the answer is the index of an option, 0 to \($count - 1), not \(.)") end;
        def chosen:
            (.options | length) as $count
            | choose
            | if type == "array" then {choice: (.[0] | index_of($count)), note: (.[1] | tostring)}
              else {choice: index_of($count)} end;
        def answer:
            . as $request
            | ([try chosen catch ("exception: \(.)" | debug | {choice: $request.default, note: .})][0]
               // {choice: $request.default, note: "exception: no answer"})
            | {id: $request.id, choice} + if .note then {note: (.note | gsub("\\p{C}"; " ")[:200])} else {} end;
        {type: "hello", protocol: [1], $name, version: "0.1"},
        (inputs
            | if .type == "ask" then {type: "answer", answers: [.requests[] | answer]}
              elif .type == "prepare" then {type: "ready"}
              elif .type == "bye" then halt
              elif .type == "forced" or .type == "error" then debug | empty
              else empty end)' >&3 3>&-
}
