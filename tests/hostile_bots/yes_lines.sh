# expect: PROTOCOL
# Writes lines for ever, from the moment a match begins, whoever is to move.
echo '{"type":"hello","protocol":[1],"name":"hostile"}'
read -r _welcome
read -r _prepare
echo '{"type":"ready"}'
read -r _start
exec yes
