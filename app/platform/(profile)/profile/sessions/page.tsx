import { getTranslations } from 'next-intl/server'
import { List } from '@/components/list/list'
import { ListEmpty } from '@/components/list/list-empty'
import { Pager } from '@/components/list/pager'
import { ScreenPage } from '@/components/shell/screen-page'
import { localName } from '@/lib/base/i18n/local-name'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { isActiveNow } from '@/lib/sign-in/own-sessions/active'
import { SessionQuery } from '@/lib/sign-in/own-sessions/contract'
import { listSessions } from '@/lib/sign-in/own-sessions/service'
import { deviceTypes } from '@/lib/site/device-types/service'
import { EndMany } from './_ui/end-many'
import { SessionCard } from './_ui/session-card'

export const generateMetadata = () => screenTitle('UserProfileSessions')

/** The sessions of the person; this device is first. */
export default async function SessionsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx, query, address } = await listPageContext('UserProfileSessions', SessionQuery, searchParams)
  const [t, list, types] = await Promise.all([
    getTranslations('sessions'),
    readList(address, () => listSessions(ctx, { query })),
    deviceTypes(),
  ])
  const count = list.meta.total ?? list.sessions.length
  const card = (session: (typeof list.sessions)[number]) => {
    const type = types.find(({ code }) => code === session.device.type)
    const name = type && localName(type, ctx.locale)
    const active = isActiveNow(session.lastAccess, ctx.now())
    return <SessionCard key={session.id} session={session} type={name} active={active} />
  }
  const currentSessions = list.sessions.filter(({ current }) => current)
  const others = list.sessions.filter(({ current }) => !current)
  return (
    <ScreenPage
      name="UserProfileSessions"
      texts="sessions"
      action={count > 1 ? <EndMany others={count - 1} /> : null}
      className="grid gap-7"
    >
      <List>
        {list.sessions.length > 0 ? (
          <>
            {currentSessions.length > 0 ? (
              <section aria-labelledby="here" className="grid gap-3">
                <h2 id="here" className="sr-only">
                  {t('here')}
                </h2>
                {currentSessions.map(card)}
              </section>
            ) : null}
            <section aria-labelledby="others" className="mt-4 grid gap-3">
              <h2 id="others" className="text-section">
                {t('others')}
              </h2>
              {others.length > 0 ? others.map(card) : <p className="text-ink-second">{t('noOthers')}</p>}
            </section>
          </>
        ) : (
          <ListEmpty address={address} meta={list.meta} />
        )}
        <Pager cursor address={address} meta={list.meta} />
      </List>
    </ScreenPage>
  )
}
