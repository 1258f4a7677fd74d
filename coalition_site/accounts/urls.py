from django.urls import path
from django.views.generic import TemplateView

from ..lib.requests import View
from . import views


def page(name: str) -> View:
    return TemplateView.as_view(template_name=f"accounts/{name}.html")


urlpatterns = [
    path("", views.Account.as_view(), name="account"),
    path("sign-in/", views.SignIn.as_view(), name="login"),
    path("sign-out/", views.SignOut.as_view(), name="logout"),
    path("sign-up/", views.SignUp.as_view(), name="signup"),
    path("password/", views.ChangePassword.as_view(), name="password_change"),
    path("tokens/", views.Tokens.as_view(), name="tokens"),
    path("tokens/<int:pk>/revoke/", views.revoke_token, name="revoke_token"),
    path("reset/", views.AskForReset.as_view(), name="password_reset"),
    path("reset/sent/", page("reset_sent"), name="password_reset_done"),
    path("reset/done/", page("reset_done"), name="password_reset_complete"),
    # After "key/", since logs leave out what follows it.
    path(
        "reset/<slug:uidb64>/key/<slug:token>/",
        views.Reset.as_view(),
        name="password_reset_confirm",
    ),
    path("playgroups/", views.show_playgroups, name="show_playgroups"),
    path("delete/", views.Delete.as_view(), name="delete_account"),
    path("deleted/", page("deleted"), name="account_deleted"),
]
