"""How the house itself stands: its files and settings, long work, where figures are had."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as say
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.console import confirming, files
from casino.console.access import page, require, shown
from casino.console.models import Job


@page("files")
@require_GET
def checked(request: HttpRequest) -> HttpResponse:
    return shown(request, "files.html", {
        "title": say("Files and settings"), "last": files.last(), "stops": settings.PRODUCTION,
    })  # fmt: skip


@page("files")
@require_POST
def check_now(request: HttpRequest) -> HttpResponse:
    verdict = files.check()
    if verdict.differing:
        messages.error(request, say("Something is not what it was; see the list."))
    else:
        messages.success(request, say("Everything is as it was accepted."))
    return redirect("console:files")


@page("files.accept")
@require_http_methods(["GET", "POST"])
def accept(request: HttpRequest) -> HttpResponse:
    user = require(request, "files.accept")

    def work(form: forms.Form) -> str:
        files.accept(by=user)
        return say("What stands now is what later looks are held against.")

    return confirming.confirm(
        request, form_class=confirming.Confirm, work=work, back="console:files", dangerous=True,
        context={"title": say("Accept files and settings as they are"), "button": say("Accept"),
                 "says": say("After an update, or when you know why they differ. The log keeps the"
                             " digest and your name.")},
    )  # fmt: skip


@page("jobs")
@require_GET
def jobs(request: HttpRequest) -> HttpResponse:
    """Long work that was asked for, newest first; each sees his own, an auditor everybody's."""
    user = require(request, "jobs")
    rows = Job.objects.defer("file").select_related("by").order_by("-pk")
    if not request.GET.get("all"):
        rows = rows.filter(by=user)
    return shown(request, "jobs.html", {"title": say("Long work"), "rows": rows[:50]})


@page("jobs")
@require_GET
def job_file(request: HttpRequest, job_id: int) -> HttpResponse:
    """What a job made, for who asked for it."""
    user = require(request, "jobs")
    job = Job.objects.filter(pk=job_id, by=user).exclude(file=None).first()
    if job is None or job.file is None:
        raise Http404
    answer = HttpResponse(bytes(job.file), content_type="application/octet-stream")
    answer.headers["Content-Disposition"] = f'attachment; filename="{job.file_name}"'
    return answer
