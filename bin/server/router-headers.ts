import type { IncomingHttpHeaders } from 'node:http'
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

function isStateTree(value: string | string[]): boolean {
  try {
    parseAndValidateFlightRouterState(value)
    return true
  } catch {
    return false
  }
}

/**
 * Removes invalid headers of Next's router, on which Next would fail: a state that it can't parse, kinds of prefetch that
 * our pages don't have. Without these headers the answer is the whole page.
 */
export function tidyRouterHeaders(headers: IncomingHttpHeaders) {
  const { 'next-router-state-tree': tree, 'next-router-prefetch': prefetch } = headers
  if (tree !== undefined && !isStateTree(tree)) delete headers['next-router-state-tree']
  if (prefetch !== undefined && prefetch !== '1') delete headers['next-router-prefetch']
}
