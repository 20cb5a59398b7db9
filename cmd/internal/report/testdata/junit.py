"""Holds a JUnit report against Jenkins' schema, and counts its tests with junitparser: junit.py SCHEMA REPORT."""
import sys
from junitparser import JUnitXml
from lxml import etree

etree.XMLSchema(etree.parse(sys.argv[1])).assertValid(etree.parse(sys.argv[2]))
report = JUnitXml.fromfile(sys.argv[2])
for suite in report:
    for case in suite:
        for result in case.result:
            print(suite.name, case.name, type(result).__name__, result.type or "", result.message)
report.update_statistics()
print(report.tests, report.failures, report.skipped, report.errors)
