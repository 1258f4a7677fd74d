"""The addresses of webhooks."""

from django.urls import path

from . import views

urlpatterns = [
    path("g/<slug:code>/settings/webhook/", views.webhook, name="webhook"),
    path("g/<slug:code>/settings/webhook/secret/", views.renew_secret, name="renew_secret"),
    path("g/<slug:code>/settings/webhook/test/", views.send_test, name="send_test"),
    path("g/<slug:code>/settings/webhook/on/", views.switch_on, name="switch_on_webhook"),
    path("g/<slug:code>/settings/webhook/remove/", views.remove, name="remove_webhook"),
]
