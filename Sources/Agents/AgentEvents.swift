import Core
import Processes
