/** Makes calls and opens pages without a browser. It keeps cookies; `seen` has every value that they ever had. */
export function restClient(address: string) {
  const jar = new Map<string, string>()
  const seen = new Set<string>()

  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

  async function ask(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
    const answer = await fetch(`${address}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { origin: address, cookie: cookie(), ...headers },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(name.length + 1)
      if (/Max-Age=0/.test(line)) jar.delete(name)
      else jar.set(name, value)
      if (value) seen.add(decodeURIComponent(value))
    }
    return answer
  }
  const send = (method: string, path: string, body?: unknown) =>
    ask(`/api/v1/platform${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })

  return {
    seen,
    cookie,
    ask,
    send,
    page: (path: string, headers: Record<string, string> = {}) =>
      ask(path, { headers: { accept: 'text/html,application/xhtml+xml', ...headers } }),
    /** Signs in by password with both steps. Returns the status of the second. */
    async signIn(login: string, password: string) {
      await send('GET', `/auth/config/login?login=${encodeURIComponent(login)}`)
      return (await send('POST', '/auth/login/login', { flow: 'credentials', login, password })).status
    },
  }
}
