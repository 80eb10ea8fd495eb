"""Tests of Ramino and Scala 40."""
