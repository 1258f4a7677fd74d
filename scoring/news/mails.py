"""Mails with a link to a new password, which leave after the answer.

Whether an account has the address or none has, it costs the visitor a row. The link is made when
it is sent, so that no secret is stored.
"""

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from ..models import Delivery


def ask_for_reset(request: HttpRequest, email: str) -> None:
    site = request.build_absolute_uri("/").removesuffix("/")
    Delivery.objects.create(kind=Delivery.Kind.RESET, email=email, site=site)


def send_reset(email: str, site: str) -> None:
    """Mail a link to the accounts with an address, if there are any."""
    protocol, _, domain = site.partition("://")
    # Not by the form's own save(), which would log a mail that can't be sent, and forget it.
    for user in PasswordResetForm().get_users(email):
        context = {
            "user": user,
            "protocol": protocol,
            "domain": domain,
            "uid": urlsafe_base64_encode(force_bytes(user.pk)),
            "token": default_token_generator.make_token(user),
        }
        subject = render_to_string("accounts/reset_subject.txt").strip()
        body = render_to_string("accounts/reset_mail.txt", context)
        send_mail(subject, body, None, [user.email])
