"""The middlewares, which must not run for each frame of a websocket."""

from tests.support.routes import application


async def test_a_websocket_passes_through_unwrapped():
    passed = []

    async def endpoint(_scope, receive, send):
        passed.append((receive, send))

    async def receive():
        return {"type": "websocket.connect"}

    async def send(_message):
        pass

    wrapped = endpoint
    for middleware in reversed(application().user_middleware):
        wrapped = middleware.cls(wrapped, *middleware.args, **middleware.kwargs)
    await wrapped({"type": "websocket", "path": "/lobby/live", "headers": []}, receive, send)
    assert passed == [(receive, send)]
