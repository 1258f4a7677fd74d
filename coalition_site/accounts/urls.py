"""The addresses of accounts."""

from django.urls import path

from . import views

urlpatterns = [
    path("", views.Account.as_view(), name="account"),
    path("sign-in/", views.SignIn.as_view(), name="login"),
    path("sign-out/", views.SignOut.as_view(), name="logout"),
    path("sign-up/", views.SignUp.as_view(), name="signup"),
    path("password/", views.ChangePassword.as_view(), name="password_change"),
    path("tokens/", views.Tokens.as_view(), name="tokens"),
    path("tokens/<int:pk>/revoke/", views.RevokeToken.as_view(), name="revoke_token"),
    path("reset/", views.AskForReset.as_view(), name="password_reset"),
    path("reset/sent/", views.ResetSent.as_view(), name="password_reset_done"),
    path("reset/done/", views.ResetDone.as_view(), name="password_reset_complete"),
    # After "key/", since logs leave out what follows it.
    path(
        "reset/<slug:uidb64>/key/<slug:token>/",
        views.Reset.as_view(),
        name="password_reset_confirm",
    ),
    path("playgroups/", views.show_playgroups, name="show_playgroups"),
    path("delete/", views.Delete.as_view(), name="delete_account"),
    path("deleted/", views.Deleted.as_view(), name="account_deleted"),
]
