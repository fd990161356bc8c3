"""The door: remote bots come in by websocket, show their token and wait to be seated.  It plays nothing."""
