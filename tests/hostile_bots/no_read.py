# expect: IDLE
# Makes its input as small as the system allows, and never reads it.
import fcntl

from wire import enter, hang

enter()
fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
hang()
