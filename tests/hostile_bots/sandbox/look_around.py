# expect: OK
# Tells what it was given: environment, descriptors, limits.
import os
import resource

from sandbox.tries import tell
from wire import enter, play_on

enter()
is_open = []
for descriptor in range(4096):
    try:
        os.fstat(descriptor)
    except OSError:
        continue
    is_open.append(descriptor)
ROOT_OF_1 = os.path.join("/proc/1", "root", "")  # what the first process takes for the root of all files
limits = {
    name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")
}
tell(
    environment=dict(os.environ),
    descriptors=is_open,
    limits=limits,
    uid=os.getuid(),
    groups=os.getgroups(),
    host=os.uname().nodename,
    nice=os.nice(0),
    root_of_1=os.access(ROOT_OF_1, os.R_OK) and os.path.samefile(ROOT_OF_1, "/"),
)
play_on()
