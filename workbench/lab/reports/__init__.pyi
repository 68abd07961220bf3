from .course_map import course_map as course_map
from .ledger import write_ledger as write_ledger
from .page import Report as Report
