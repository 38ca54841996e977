import { getTranslations } from 'next-intl/server'
import { RowLink } from '@/components/list/columns'
import type { ListFilter } from '@/components/list/filter'
import { ListTable } from '@/components/list/list-table'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { searchContacts } from '@/lib/accounts/people-search/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { cardPath, screenNamed } from '@/lib/base/navigation/screens'
import { readAddressLimits } from '@/lib/operations/address-limits/service'
import { readList } from '@/lib/request/list-page'
import { ProvenFlow } from '@/lib/sign-in/attempts/contract'
import { nameGuessed, signInCauses } from '@/lib/sign-in/log/causes'
import type { SignIn, SignInInput } from '@/lib/sign-in/sign-in-log/contract'
import { listSignIns } from '@/lib/sign-in/sign-in-log/service'
import { StoppedAddress } from './stopped-address'

type Props = {
  ctx: Ctx
  query: SignInInput
  address: ListAddress
  /** The id of the only person whose sign-ins are shown. */
  of?: string
}

/** A refusal because of too many attempts links to the attempts of its address, where its limits can be lifted. */
const ofAddress = (ip: string) => `${screenNamed('PlatformSignIns').path}?${new URLSearchParams({ 'filter[ip]': ip })}`

/** The sign-in log with its filters: of all people, or of one person. */
export async function SignIns({ ctx, query, address, of }: Props) {
  const { userId, ip: filteredIp } = query.filter
  const filter = of ? { ...query.filter, userId: of } : query.filter
  const [t, { signIns, meta }, chosen, stopped] = await Promise.all([
    getTranslations('sign-ins'),
    readList(address, (place) => listSignIns(ctx, { query: { ...query, filter, ...place } })),
    userId && !of ? searchContacts(ctx, { query: { ids: [userId] } }) : null,
    filteredIp ? readAddressLimits(ctx, { query: { ip: filteredIp } }) : null,
  ])
  const flowsOf = ({ flows, provider }: SignIn) =>
    flows.map((flow) => (flow === 'provider' && provider?.name) || t(`flows.${flow}`)).join(', ')
  const people: ListFilter = {
    kind: 'remote',
    name: 'userId',
    label: t('person'),
    of: 'people',
    chosen:
      chosen?.contacts.map(({ userId: value, fullName, email }) => ({ value, label: fullName || email || value })) ??
      [],
  }
  const personCell = ({ user, mask }: SignIn) => {
    if (!user) return mask ? <Mono>{mask}</Mono> : <span className="text-ink-second">{t('nobody')}</span>
    if (of) return null
    return user.name ? <RowLink href={cardPath('PlatformUser', user.id)}>{user.name}</RowLink> : t('deleted')
  }
  const log = (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={signIns}
      caption={t('caption')}
      {...(of ? {} : { search: t('search') })}
      filters={[
        ...(of ? [] : [people]),
        { kind: 'yesNo', name: 'success', label: t('success') },
        {
          kind: 'many',
          name: 'cause',
          label: t('cause'),
          options: signInCauses.map((value) => ({ value, label: t(`causes.${value}`) })),
        },
        {
          kind: 'many',
          name: 'flow',
          label: t('flow'),
          options: ProvenFlow.options.map((value) => ({ value, label: t(`flows.${value}`) })),
        },
        { kind: 'text', name: 'ip', label: t('ip'), hint: t('ipHint') },
        { kind: 'dates', name: 'date', label: t('date'), from: 'dateFrom', to: 'dateTo' },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      columns={[
        ...(of
          ? []
          : [
              {
                title: true as const,
                label: t('person'),
                cell: personCell,
              },
            ]),
        {
          ...(of ? { title: true } : {}),
          label: t('result'),
          whole: true,
          cell: ({ success, cause, reason, reasonText }) => (
            <>
              {success ? (
                <Pill tone="ok">{t('succeeded')}</Pill>
              ) : (
                <Pill tone="danger">{cause ? t(`causes.${cause}`) : t('failed')}</Pill>
              )}
              {reasonText ? (
                <span className="block wrap-anywhere text-ink-second text-note">
                  {success ? t(reason === nameGuessed ? 'toCheck' : 'leftOut', { what: reasonText }) : reasonText}
                </span>
              ) : null}
            </>
          ),
        },
        { label: t('flow'), priority: 2, cell: flowsOf },
        {
          label: t('application'),
          priority: 3,
          cell: ({ application }) =>
            application ? localName(application, ctx.locale) : <span className="text-ink-second">{t('platform')}</span>,
        },
        {
          label: t('where'),
          priority: 2,
          cell: ({ ip, cause, device: { browser, system } }) => (
            <>
              <RowLink href={cause === 'tooMany' && !filteredIp ? ofAddress(ip) : undefined}>
                <Mono>{ip}</Mono>
              </RowLink>
              <span className="block text-ink-second text-note">
                {[browser, system].filter(Boolean).join(', ') || t('unknownDevice')}
              </span>
            </>
          ),
        },
        { by: 'date', first: 'desc', label: t('date'), cell: ({ date }) => <DateTime value={date} /> },
      ]}
    />
  )
  if (!stopped?.limits.length) return log
  return (
    <>
      <Alert tone="warning" className="mb-4">
        <StoppedAddress stopped={stopped} mayLift={holdsMethod(ctx, 'users.write')} />
      </Alert>
      {log}
    </>
  )
}
