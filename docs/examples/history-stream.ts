type Row = { id: string; date: string; type: string; entity: string; entityId: string; field: string | null }
type Page = { rows: Row[]; after: string }

/**
 * Yields the rows of the history that no earlier call had, page by page, and ends when none is left: call it each
 * minute. Store `after` together with the rows of its page, and begin there the next time.
 */
export async function* historyPages({
  origin,
  token,
  after,
  get = fetch,
}: {
  origin: string
  /** Returns an access token of the service account (client_credentials). */
  token: () => Promise<string>
  /** Where the last call ended; without it from the oldest row on. */
  after?: string | undefined
  get?: (url: string, init: { headers: Record<string, string> }) => Promise<Response>
}): AsyncGenerator<Page> {
  for (let place = after, more = true; more; ) {
    const query = new URLSearchParams({ 'meta[limit]': '1000', ...(place ? { 'meta[after]': place } : {}) })
    const answer = await get(`${origin}/api/v1/platform/setting/history/stream?${query}`, {
      headers: { authorization: `Bearer ${await token()}` },
    })
    if (!answer.ok) throw new Error(`the history answered ${answer.status}: ${await answer.text()}`)
    const { data, meta } = (await answer.json()) as { data: Row[]; meta: { after: string; more: boolean } }
    // rows of areas that the account may not read are left out: a page may be empty, and its place still counts
    if (meta.after !== place) yield { rows: data, after: meta.after }
    place = meta.after
    more = meta.more
  }
}
