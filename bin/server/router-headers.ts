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
 * Drops what Next would fail on of the headers by which its browser side says what part of a page it lacks: a state
 * that it can't read, kinds of prefetch that no page of ours has. Without them the whole page is the answer.
 */
export function tidyRouterHeaders(headers: IncomingHttpHeaders) {
  const { 'next-router-state-tree': tree, 'next-router-prefetch': prefetch } = headers
  if (tree !== undefined && !isStateTree(tree)) delete headers['next-router-state-tree']
  if (prefetch !== undefined && prefetch !== '1') delete headers['next-router-prefetch']
}
