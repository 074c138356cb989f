"""Servers of a picture that shows the time, for bench_stream.py: run by the system's Python, which has PyGObject.

/usr/bin/python3 tests/bench/stream_servers.py rtsp PORT h264 [digest USER PASSWORD]     GStreamer's RTSP server
/usr/bin/python3 tests/bench/stream_servers.py frames                                    raw pictures on the output
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Any

WIDTH, HEIGHT, PER_S = 640, 480, 20
ACROSS, DOWN = 6, 4  # squares, each a bit of the time in milliseconds, which begins anew after four hours


def picture() -> bytes:
    """A grey picture of this moment: ``bench_stream.shown_s`` reads the time from it."""
    now_ms = int(time.monotonic() * 1000) % (1 << ACROSS * DOWN)
    rows = []
    for row in range(DOWN):
        bits = (now_ms >> (row * ACROSS + column) & 1 for column in range(ACROSS))
        line = b"".join(bytes([210 if bit else 50]) * (WIDTH // ACROSS) for bit in bits).ljust(WIDTH, b"\0")
        rows.append(line * (HEIGHT // DOWN))
    return b"".join(rows)


def frames() -> None:
    while True:
        sys.stdout.buffer.write(picture())
        sys.stdout.buffer.flush()
        time.sleep(1 / PER_S)


ENCODED = {
    "h264": "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=20 ! rtph264pay name=pay0 pt=96",
    "jpeg": "jpegenc ! rtpjpegpay name=pay0 pt=26",
}


def rtsp(port: str, codec: str, login: list[str]) -> None:
    import gi  # type: ignore[import-not-found]

    for name in ("Gst", "GstRtsp", "GstRtspServer"):
        gi.require_version(name, "1.0")
    from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # type: ignore[import-not-found]

    Gst.init(None)

    def configured(_factory: Any, media: Any) -> None:
        began_s = time.monotonic()

        def needed(source: Any, _bytes: int) -> None:
            data = Gst.Buffer.new_wrapped(picture())
            data.pts = int((time.monotonic() - began_s) * Gst.SECOND)
            source.emit("push-buffer", data)
            time.sleep(1 / PER_S)

        media.get_element().get_by_name("clock").connect("need-data", needed)

    server = GstRtspServer.RTSPServer(service=port, address="127.0.0.1")
    factory = GstRtspServer.RTSPMediaFactory()
    caps = f"video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate={PER_S}/1"
    source = f"appsrc name=clock is-live=true format=time max-bytes=1 caps={caps}"
    factory.set_launch(f"( {source} ! videoconvert ! video/x-raw,format=I420 ! {ENCODED[codec]} )")
    factory.set_shared(True)
    factory.connect("media-configure", configured)
    if login:
        how, user, password = login
        auth, token = GstRtspServer.RTSPAuth(), GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "watcher")
        if how == "digest":
            auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
            auth.add_digest(user, password, token)
        else:
            auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
        server.set_auth(auth)
        factory.add_role_from_structure(
            Gst.Structure.new_from_string("watcher, media.factory.access=true, media.factory.construct=true")
        )
    server.get_mount_points().add_factory("/stream", factory)
    server.attach(None)
    print("serving", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    if sys.argv[1] == "rtsp":
        rtsp(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        with suppress(BrokenPipeError):
            frames()
