"""Who plays whom, and how strong they are.  Pure: no clock, no file, no socket."""
