import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { cardPath } from '@/lib/kernel/navigation/screens'
import type { UserCard } from '@/lib/people/user-administration/contract'

/** Roles by the place where they are held: everywhere, in an organization, for a contractor there. */
function placesOf(roles: UserCard['roles']) {
  const places = new Map<string, { organization: string | null; contractor: string | null; held: UserCard['roles'] }>()
  for (const held of roles) {
    const key = `${held.organization?.id} ${held.contractor?.id}`
    const place = places.get(key) ?? {
      organization: held.organization?.name ?? null,
      contractor: held.contractor?.name ?? null,
      held: [],
    }
    place.held.push(held)
    places.set(key, place)
  }
  return [...places]
}

/** Who somebody is and how they can be reached, and beside it their companies and dates. */
export async function UserMain({ user }: { user: UserCard }) {
  const t = await getTranslations('users')
  const { lastName, firstName, middleName, login, email, mobile, provider, externalId } = user
  const box = 'rounded-card border border-line bg-surface'
  const proven = (is: boolean) => <Pill tone={is ? 'ok' : 'neutral'}>{t(is ? 'proven' : 'unproven')}</Pill>
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('contractors')}>
            {user.contractors.length === 0 ? (
              <p className={`${box} px-4 py-3 text-ink-second`}>{t('noContractors')}</p>
            ) : (
              <ul className={`${box} divide-y divide-line`}>
                {user.contractors.map(({ id, name }) => (
                  <li key={id} className="wrap-anywhere px-4 py-3">
                    <Link
                      href={cardPath('PlatformContractor', id)}
                      prefetch={false}
                      className="underline-offset-4 hover:underline"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </CardGroup>
          <CardGroup title={t('record')}>
            <KeyValues>
              <KeyValue label={t('created')}>
                <DateTime value={user.createdAt} />
              </KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={user.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <CardGroup title={t('person')}>
        <KeyValues>
          <KeyValue label={t('lastName')}>{lastName || null}</KeyValue>
          <KeyValue label={t('firstName')}>{firstName || null}</KeyValue>
          <KeyValue label={t('middleName')}>{middleName || null}</KeyValue>
          <KeyValue label={t('email')}>
            {email ? (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <AddressText>{email}</AddressText>
                {proven(user.emailVerified)}
              </span>
            ) : null}
          </KeyValue>
          <KeyValue label={t('mobile')}>
            {mobile ? (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 tabular-nums">
                {mobile}
                {proven(user.mobileVerified)}
              </span>
            ) : null}
          </KeyValue>
        </KeyValues>
      </CardGroup>
      <CardGroup title={t('signIn')}>
        <KeyValues>
          <KeyValue label={t('login')}>
            <Mono>{login}</Mono>
          </KeyValue>
          <KeyValue label={t('password')}>{t(user.hasPassword ? 'hasPassword' : 'noPassword')}</KeyValue>
          <KeyValue label={t('provider')}>{provider?.name ?? t('ownAccount')}</KeyValue>
          <KeyValue label={t('externalId')}>{externalId ? <Mono>{externalId}</Mono> : null}</KeyValue>
          <KeyValue label={t('ownProfile')}>{t(user.isEditable ? 'editable' : 'locked')}</KeyValue>
        </KeyValues>
      </CardGroup>
      <CardGroup title={t('roles')} note={user.more ? t('moreNote') : null}>
        {user.roles.length === 0 ? <p className={`${box} px-4 py-3 text-ink-second`}>{t('noRoles')}</p> : null}
        {user.roles.length > 0 ? (
          <dl className={`${box} divide-y divide-line`}>
            {placesOf(user.roles).map(([key, { organization, contractor, held }]) => (
              <div key={key} className="grid gap-x-4 gap-y-1.5 px-4 py-3 @min-[40rem]:grid-cols-[14rem_minmax(0,1fr)]">
                <dt className="wrap-anywhere text-ink-second text-table">
                  {[contractor, organization].filter(Boolean).join(', ') || t('everywhere')}
                </dt>
                <dd className="flex flex-wrap gap-1.5 text-table">
                  {held.map(({ role, inEffect }) => (
                    <span key={role.id} className="wrap-anywhere rounded-pill border border-line px-2 py-0.5">
                      {role.name}
                      {inEffect ? null : <span className="text-ink-second"> — {t('notInEffect')}</span>}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
      </CardGroup>
    </CardColumns>
  )
}
