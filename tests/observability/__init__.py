"""Metrics, traces, channelz, and the dashboard and alerts that are made of them."""
