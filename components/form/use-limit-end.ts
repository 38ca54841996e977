import { useZone } from '../ui/use-zone'
import { limitEnd } from './limit-end'

/** Returns a function that formats the end of a limit, as texts name it, with the zone of that time. */
export function useLimitEnd(): (moment: number) => { until: Date; zone: string } {
  const zoneOf = useZone()
  return (moment) => {
    const until = limitEnd(moment)
    return { until, zone: zoneOf(until) }
  }
}
