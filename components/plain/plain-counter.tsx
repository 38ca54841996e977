/**
 * The web-analytics counter of read-only pages, for visitors who agreed to cookies: it may wait for that. It runs in a frame without an origin,
 * to which the script gives the page's address, and has no access to the platform (docs/adr/0014).
 */
export const PlainCounter = ({ waits }: { waits: boolean }) => (
  <iframe
    sandbox="allow-scripts"
    hidden
    aria-hidden
    tabIndex={-1}
    title="metrics"
    data-metrics={waits ? 'waits' : 'runs'}
  />
)
