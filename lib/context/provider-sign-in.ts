import { answerOfProvider, beginAtProvider } from '@/lib/entry/provider-sign-in/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { buildContext } from './build'
import { cookieJar } from './cookies'

type Arguments = { params: Promise<{ id: string }> }
type Step = (ctx: Ctx, id: string, search: URLSearchParams, site: string | null) => Promise<string>

/** Makes a handler of a step that ends at another address: these are visited by people, who get no JSON. */
const leading =
  (step: Step) =>
  async (request: Request, { params }: Arguments): Promise<Response> => {
    const jar = cookieJar(request.headers.get('cookie'))
    const { ctx } = await buildContext(request.headers, jar.cookies)
    const { id } = await params
    const location = await step(ctx, id, new URL(request.url).searchParams, request.headers.get('sec-fetch-site'))
    // the address has a code and a state, which nobody else may read
    const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    for (const cookie of jar.headers()) headers.append('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  }

/** Begins a sign-in through a provider, and leads there. */
export const providerStartRoute = leading(beginAtProvider)

/** Takes the answer of a provider, and leads on. */
export const providerCallbackRoute = leading(answerOfProvider)
