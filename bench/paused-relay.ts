import { EventRelay } from '../server/events/relay.ts'

// For `--import`: the service records events and does not seal them, so that only the requests' own cost is measured.
EventRelay.prototype.start = () => {}
