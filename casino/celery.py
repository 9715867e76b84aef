"""The Celery application: two queues, `tables` for short tasks and `long` for everything else."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("croupier")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
