# expect: OK
# Reads everything it can think of, and what its arguments name.
import os
import sys

from sandbox.tries import attempt, tell
from wire import enter, play_on

PLACES = """
/etc/shadow /etc/passwd /etc/group /etc/hosts /etc/hostname /etc/resolv.conf /etc/machine-id /etc/sudoers
/etc/fstab /etc/crontab /etc/environment /etc/ssh /etc/ssl/private /etc/apt /etc/cron.d /etc/systemd /etc/profile
/home /var /var/log /var/lib /var/tmp /var/spool
/var/run /run /run/user /run/secrets /mnt /media /srv /boot /sys /sys/fs/cgroup /sys/kernel /sys/class/net
/proc/kcore /proc/kallsyms /proc/kmsg /proc/keys /proc/key-users /proc/sysrq-trigger
/proc/1/environ /proc/1/maps /proc/1/mem /proc/1/fd /proc/1/root /proc/1/cwd /proc/1/stack
/dev/mem /dev/kmsg /dev/vda /dev/sda /dev/nvme0n1 /dev/kvm /dev/fuse /dev/net/tun /dev/input
"""


def read(path):
    if os.path.isdir(path):
        return bool(os.listdir(path))
    with open(path, "rb") as file:
        return bool(file.read(64))


enter()
places = [*PLACES.split(), *sys.argv[2:]]
for place in places:
    attempt(place, read, place)
tell(tried=len(places))
play_on()
