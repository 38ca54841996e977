import type { Ctx } from '@/lib/base/context/ctx'
import { domainByHost } from '@/lib/site/domains/service'

/**
 * The context of a person who isn't signed in, at the base domain; with `methods`, of a signed-in person who holds
 * these.
 */
export async function createContext({ methods, now }: { methods?: string[]; now?: Date } = {}): Promise<Ctx> {
  const user = methods && {
    id: '00000000-0000-4000-8000-000000000001',
    login: 'holder',
    firstName: 'Анна',
    lastName: 'Петрова',
    methods: new Set(methods),
    methodIds: new Set<string>(),
    temporary: false,
    navMini: null,
    pagination: null,
    columns: {},
    picture: null,
  }
  return {
    requestId: 'test',
    ip: '203.0.113.7',
    userAgent: '',
    domain: await domainByHost('localhost'),
    locale: 'ru',
    timeZone: 'Europe/Moscow',
    deviceType: 'desktop',
    session: user ? { id: '00000000-0000-4000-8000-000000000002' } : null,
    user: user ?? null,
    service: null,
    cookies: { get: () => undefined, set: () => {} },
    now: () => now ?? new Date(),
  }
}
