"""Runs warcprox with permission to fetch from this machine.

It has no option for that; its own tests permit it in the same way.
"""

from warcprox.main import main
from warcprox.warcproxy import WarcProxyHandler

if __name__ == "__main__":
    WarcProxyHandler.allow_localhost = True
    main()
