"""New passwords that were asked for, whose mails leave after the answer, from the process of news.

Whether an account has the e-mail or none has, it costs the visitor a row. The link is made when it
is sent, so that no secret is stored.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage, get_connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from ..models import ResetAsked

TRIES = 3
PAUSE = timedelta(minutes=1)  # after the first try; four times as long after the next

log = logging.getLogger(__name__)


def ask(request: HttpRequest, email: str) -> None:
    """Have a link mailed to the accounts with an e-mail, if there are any."""
    ResetAsked.objects.create(
        email=email,
        host=request.get_host(),
        is_https=request.is_secure(),
        next_at=timezone.now(),
    )


def send() -> bool:
    """Try to send what was asked for next, and return whether there was any."""
    now = timezone.now()
    asked = ResetAsked.objects.filter(next_at__lte=now).order_by("next_at").first()
    if asked is None:
        return False
    row = ResetAsked.objects.filter(pk=asked.pk, tries=asked.tries)
    if not row.update(tries=asked.tries + 1, next_at=now + PAUSE * 4**asked.tries):
        return True  # another machine was faster
    mails = [_mail(asked, user) for user in PasswordResetForm().get_users(asked.email)]
    try:
        get_connection().send_messages(mails)
    except Exception as error:
        log.error("A mail could not be sent: %s", type(error).__name__)
        if asked.tries + 1 < TRIES:
            return True
    asked.delete()
    return True


def _mail(asked: ResetAsked, user: User) -> EmailMessage:
    context = {
        "user": user,
        "protocol": "https" if asked.is_https else "http",
        "domain": asked.host,
        "uid": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
    }
    subject = render_to_string("accounts/reset_subject.txt").strip()
    body = render_to_string("accounts/reset_mail.txt", context)
    return EmailMessage(subject, body, to=[user.email])
