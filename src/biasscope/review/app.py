"""The review app: which request shows which page, and what is done with a form. Knows no file and no socket."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from biasscope.errors import BiasscopeError
from biasscope.review.desk import Desk, Outcome, Said
from biasscope.review.forms import Refused, Sent, check_key, read_fields, read_sent
from biasscope.review.guard import Guard
from biasscope.review.links import Links
from biasscope.review.pages import (
    FILES,
    Differences,
    Done,
    Form,
    ItemView,
    Listed,
    Message,
    Welcome,
    file,
    heard,
    questions,
    render,
)
from biasscope.reviews import ADJUDICATOR, ReviewItem
from biasscope.reviews.answers import Kind

if TYPE_CHECKING:
    from starlette.types import ASGIApp

KEPT_S = 90 * 24 * 3600
"""Seconds for which a browser keeps who it is; the personal link begins them anew."""

STALE = (
    "This page was out of date: the item was answered elsewhere since, or its texts were changed. Nothing was stored yet. What "
    "you said is below; look again and save."
)


def review_app(
    desk: Desk,
    links: Links,
    hosts: Collection[str],
    *,
    tell: Callable[[BiasscopeError], None],
    secure: bool = False,
) -> ASGIApp:
    """Make the app of a review. `hosts` are its names as browsers call it; `secure` says that they reach it by HTTPS.

    `tell` hears of each answer that could not be stored, with paths that no reviewer should see.
    """
    rooms = _Rooms(desk, links, secure=secure)
    routes = [
        Route("/", rooms.home),
        Route("/r/{token}", rooms.welcome),
        Route("/r/{token}", rooms.begin, methods=["POST"]),
        Route("/next", rooms.following),
        Route("/done", rooms.done),
        Route("/undo", rooms.undo, methods=["POST"]),
        Route("/item/{place}", rooms.item),
        Route("/item/{place}", rooms.answer, methods=["POST"]),
        Route("/static/{name}", _static),
    ]
    handlers: dict[Any, Any] = {Refused: _refused, HTTPException: _http, BiasscopeError: _failed(tell)}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), hosts)


class _Rooms:
    """What each address does, for whoever shows a link or a session."""

    def __init__(self, desk: Desk, links: Links, *, secure: bool) -> None:
        self._desk = desk
        self._board = desk.board
        self._links = links
        self._secure = secure
        self._differences = Differences()
        self._items = {links.place(item_id): item for item_id, item in desk.board.items.items()}

    async def home(self, request: Request) -> Response:
        """Go on where there is a session; else say what is needed."""
        if self._bearer(request) is not None:
            return _go("/next")
        return _page(Message("Review", "Open the personal link that you were sent: it says who you are."))

    async def welcome(self, request: Request) -> Response:
        """What a personal link opens. It begins with a button: a page that only shows a link must change nothing."""
        person = self._owner(request)
        return _page(
            Welcome(
                title="Adjudication" if person == ADJUDICATOR else "Review",
                person=person,
                adjudicator=person == ADJUDICATOR,
                address=request.url.path,
                progress=self._board.progress(person),
            )
        )

    async def begin(self, request: Request) -> Response:
        """Let the browser keep who it is, and show the first item."""
        person = self._owner(request)
        reply = _go("/next")
        reply.set_cookie(
            self._links.cookie,
            self._links.session(person),
            max_age=KEPT_S,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )
        return reply

    async def following(self, request: Request) -> Response:
        """Go to the first item that is open, or to the end."""
        item = self._board.following(self._person(request))
        return _go("/done" if item is None else self._address(item))

    async def done(self, request: Request) -> Response:
        """How far the person is."""
        person = self._person(request)
        return _page(
            Done(
                title="Adjudication" if person == ADJUDICATOR else "Review",
                person=person,
                adjudicator=person == ADJUDICATOR,
                progress=self._board.progress(person),
                skipped=tuple(self._listed(person, item) for item in self._board.skipped(person)),
                flagged=tuple(self._listed(person, item) for item in self._board.flagged(person)),
                can_undo=self._board.last(person) is not None,
                key=self._links.form_key(person),
            )
        )

    async def undo(self, request: Request) -> Response:
        """Take back the latest answer and show its item."""
        person = self._person(request)
        check_key(await _fields(request), self._links.form_key(person))
        item = await self._desk.undo(person)
        return _go("/next" if item is None else self._address(item))

    async def item(self, request: Request) -> Response:
        """Show an item with what the person said about it."""
        person, item = self._person(request), self._item(request)
        said = Said.of(self._board.standing(person, item.id))
        return _page(await self._view(person, item, said, ""))

    async def answer(self, request: Request) -> Response:
        """Take an answer; go on where it is whole or skipped, else show what is open."""
        person, item = self._person(request), self._item(request)
        fields = await _fields(request)
        check_key(fields, self._links.form_key(person))
        sent = read_sent(fields)
        outcome = await self._put(person, item, sent)
        stored = outcome == "saved"
        onward = stored and (sent.do == "skip" or (sent.do == "save" and not sent.said.open))
        if _wants_json(request):
            told = {"saved": stored, "open": sent.said.open, "version": self._board.version(person, item.id)}
            return _json(told | ({"next": "/next"} if onward else {}), 200 if stored else 409)
        if onward:
            return _go("/next")
        notice = STALE if not stored else _still_open(sent.said.open)
        return _page(await self._view(person, item, sent.said, notice), 200 if stored else 409)

    async def _put(self, person: str, item: ReviewItem, sent: Sent) -> Outcome:
        stands = self._board.standing(person, item.id)
        if sent.do == "skip" and stands is not None and stands.whole:
            return "saved"  # an answer that stands is not taken back by going on
        kind: Kind = "skip" if sent.do == "skip" else "answer"
        return await self._desk.put(person, item, sent.said, kind=kind, version=sent.version, shown=sent.shown)

    async def _view(self, person: str, item: ReviewItem, said: Said, notice: str) -> ItemView:
        columns = await run_in_threadpool(self._differences.of, item)
        adjudicator = person == ADJUDICATOR
        number = self._board.number(person, item.id)
        stands = self._board.standing(person, item.id)
        form = Form(
            address=self._address(item),
            key=self._links.form_key(person),
            version=self._board.version(person, item.id),
            shown=item.shown,
            questions=questions(said),
            flag=said.flag,
            note=said.note,
            stored=stands is not None and stands.whole,
            can_undo=self._board.last(person) is not None,
        )
        return ItemView(
            title=f"Item {number}",
            person=person,
            adjudicator=adjudicator,
            number=number,
            progress=self._board.progress(person),
            prompt=item.prompt,
            columns=columns,
            alike=item.response_1 == item.response_2,
            heard=heard(self._board.of_reviewers(item.id)) if adjudicator else (),
            form=form,
            notice=notice,
        )

    def _listed(self, person: str, item: ReviewItem) -> Listed:
        said = Said.of(self._board.standing(person, item.id))
        return Listed(self._board.number(person, item.id), self._address(item), said.note)

    def _address(self, item: ReviewItem) -> str:
        return f"/item/{self._links.place(item.id)}"

    def _item(self, request: Request) -> ReviewItem:
        item = self._items.get(request.path_params["place"])
        if item is None:
            raise Refused(404, "There is no such item", "The set was made anew, or the address was mistyped.")
        return item

    def _owner(self, request: Request) -> str:
        person = self._links.owner(request.path_params["token"])
        if person is None:
            raise Refused(
                404,
                "This link is not known",
                "It was mistyped or cut off, or new links were made. Ask who sent it.",
            )
        return person

    def _bearer(self, request: Request) -> str | None:
        session = request.cookies.get(self._links.cookie)
        return None if session is None else self._links.bearer(session)

    def _person(self, request: Request) -> str:
        person = self._bearer(request)
        if person is None:
            raise Refused(
                401,
                "Who are you?",
                "Open the personal link that you were sent, and begin there. Nothing that you answered is lost.",
            )
        return person


def _still_open(count: int) -> str:
    if count == 0:
        return ""
    return "One question is still open." if count == 1 else f"{count} questions are still open."


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    return Response(file(name), media_type=FILES[name])


async def _fields(request: Request) -> dict[str, str]:
    return await read_fields(request.headers.get("content-type", ""), request.stream())


def _wants_json(request: Request) -> bool:
    return bool(request.headers.get("accept", "") == "application/json")


def _page(view: Message | Welcome | Done | ItemView, status: int = 200) -> Response:
    return Response(render(view), status, media_type="text/html; charset=utf-8")


def _json(value: object, status: int) -> Response:
    return Response(json.dumps(value), status, media_type="application/json")


def _go(address: str) -> Response:
    return Response(status_code=303, headers={"location": address})


def _told(request: Request, status: int, title: str, words: str) -> Response:
    if _wants_json(request):
        return _json({"saved": False, "error": f"{title}. {words}"}, status)
    return _page(Message(title, words), status)


async def _refused(request: Request, error: Refused) -> Response:
    return _told(request, error.status, error.title, error.words)


async def _http(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404:
        return _told(request, 404, "There is no such page", "The address was mistyped.")
    return _told(request, error.status_code, "That is not done here", "Go back to the page that you came from.")


def _failed(tell: Callable[[BiasscopeError], None]) -> Callable[[Request, BiasscopeError], Awaitable[Response]]:
    """What follows where an answer cannot be stored: whoever serves is told why, a reviewer that it is so."""

    async def handle(request: Request, error: BiasscopeError) -> Response:
        tell(error)
        if _wants_json(request):
            return _json({"saved": False, "error": "the server cannot write."}, 503)
        words = "The server cannot write. What was stored before is kept. Tell who sent you the link; go back, and save again."
        return _page(Message("Your answer was not stored", words), 503)

    return handle
