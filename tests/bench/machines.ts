/** Milliseconds of the processor that a unit takes in the server and in the stores. */
export type Shares = { server: number; stores: number }

/**
 * Returns how many units a second a number of server machines does with one machine of PostgreSQL and Redis, each with
 * so many cores, and how busy the stores are then. The first of the two that has no time left sets the rate.
 */
export function rateOf({ server, stores }: Shares, machines: number, cores: number) {
  const [ofServers, ofStores] = [(machines * cores * 1_000) / server, (cores * 1_000) / stores]
  const perSecond = Math.min(ofServers, ofStores)
  return { perSecond, storesBusy: perSecond / ofStores }
}
