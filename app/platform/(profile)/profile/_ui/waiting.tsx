import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { screenNamed } from '@/lib/base/navigation/screens'
import { AccessRequestQuery } from '@/lib/companies/access-requests/contract'
import { countWaiting, listAccessRequests } from '@/lib/companies/access-requests/service'
import { OwnInvitationQuery } from '@/lib/joining/received-invitations/contract'
import { listOwnInvitations } from '@/lib/joining/received-invitations/service'

/** How many of a kind are named; the others are counted. */
const mostNamed = 3

const requests = screenNamed('UserProfileAccessRequests').path
const invited = screenNamed('UserProfileInvitationsRequests').path

/**
 * What waits: for managers the requests on which they decide, the invitations to the person, and the person's own
 * requests (docs/rules/profile.md#what-waits). Renders nothing if nothing waits.
 */
export async function WaitingItems({ ctx, user }: { ctx: Ctx; user: CtxUser }) {
  const manages = holdsMethod(user, 'masterAccountAccess')
  const [t, toDecide, invitations, ownRequests] = await Promise.all([
    getTranslations('profile.waiting'),
    manages ? countWaiting(ctx) : 0,
    listOwnInvitations(ctx, { query: OwnInvitationQuery.parse({ filter: { status: 'active' } }) }),
    listAccessRequests(ctx, { query: AccessRequestQuery.parse({ filter: { status: 'considered' } }) }),
  ])
  const openInvitations = invitations.invitations.filter(({ acceptable }) => acceptable)
  const moreCount = (count: number, total: number | undefined) =>
    Math.max(count, total ?? 0) - Math.min(count, mostNamed)
  const moreInvitations = moreCount(openInvitations.length, openInvitations.length)
  const moreOwn = moreCount(ownRequests.requests.length, ownRequests.meta.total)
  const answers = manages ? `${invited}?tab=incoming` : invited
  if (toDecide + openInvitations.length + ownRequests.requests.length === 0) return null
  return (
    <CardGroup title={t('title')}>
      <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
        {toDecide > 0 ? (
          <Line href={`${requests}?tab=incoming`} verb={t('decide')} urgent>
            {t('toDecide', { count: toDecide })}
          </Line>
        ) : null}
        {openInvitations.slice(0, mostNamed).map(({ id, company, inviter, expiresAt }) => (
          <Line
            key={id}
            href={answers}
            verb={t('answer')}
            urgent
            note={t.rich('invitedBy', {
              inviter,
              by: inviter ? 'true' : 'false',
              date: () => <DateTime value={expiresAt} />,
            })}
          >
            {t('invitation', { company })}
          </Line>
        ))}
        {moreInvitations > 0 ? (
          <Line href={answers} verb={t('answer')}>
            {t('moreInvitations', { count: moreInvitations })}
          </Line>
        ) : null}
        {ownRequests.requests.slice(0, mostNamed).map(({ requestId, requestCompanyName, requestDate }) => (
          <Line
            key={requestId}
            href={requests}
            verb={t('see')}
            note={t.rich('sent', { date: () => <DateTime value={requestDate} /> })}
          >
            {t('own', { company: requestCompanyName })}
          </Line>
        ))}
        {moreOwn > 0 ? (
          <Line href={requests} verb={t('see')}>
            {t('moreOwn', { count: moreOwn })}
          </Line>
        ) : null}
      </ul>
    </CardGroup>
  )
}

type LineProps = {
  href: string
  /** The label of the link: what the person can do there. */
  verb: string
  note?: ReactNode
  /** Whether it waits for this person's action. */
  urgent?: boolean
  children: ReactNode
}

function Line({ href, verb, note, urgent = false, children }: LineProps) {
  return (
    <li>
      <Link
        href={href}
        prefetch={false}
        className="flex min-h-12 items-center justify-between gap-4 px-4 py-2 outline-offset-[-2px]! hover:bg-sunken/60"
      >
        <span className="grid min-w-0 gap-0.5">
          <span className={urgent ? 'wrap-anywhere font-medium' : 'wrap-anywhere'}>{children}</span>
          {note ? <span className="text-ink-second text-note">{note}</span> : null}
        </span>
        <span className="flex shrink-0 items-center gap-1.5 text-brand text-table">
          {verb}
          <ArrowRight aria-hidden="true" className="size-4" />
        </span>
      </Link>
    </li>
  )
}
