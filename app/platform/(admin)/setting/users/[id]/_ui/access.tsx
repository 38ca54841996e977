import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { Alert } from '@/components/ui/alert'
import type { UserCard } from '@/lib/accounts/administration/contract'
import { doubtsOf } from '@/lib/accounts/administration/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { cardPath } from '@/lib/base/navigation/screens'
import { ContractorsGroup, RolesGroup } from './card-parts'

/** Returns roles by the place where they are held: everywhere, in an organization, for a contractor there. */
function placesOf(roles: UserCard['roles']) {
  const places = new Map<string, { organization: string | null; contractor: string | null; held: UserCard['roles'] }>()
  for (const heldRole of roles) {
    const key = `${heldRole.organization?.id} ${heldRole.contractor?.id}`
    const place = places.get(key) ?? {
      organization: heldRole.organization?.name ?? null,
      contractor: heldRole.contractor?.name ?? null,
      held: [],
    }
    place.held.push(heldRole)
    places.set(key, place)
  }
  return [...places]
}

type Props = { ctx: Ctx; user: UserCard; mayWrite: boolean }

const box = 'rounded-card border border-line bg-surface'

/** The roles of an account, by the place in which they are held. */
export async function UserRoles({ ctx, user, mayWrite }: Props) {
  const [t, { preparer, providers }] = await Promise.all([getTranslations('users'), doubtsOf(ctx, user.id)])
  return (
    <>
      {preparer ? (
        <Alert tone="warning" className="wrap-anywhere">
          {t('prepared', { name: preparer.name ?? t('somebody'), email: preparer.email ?? 'none' })}
        </Alert>
      ) : null}
      {providers.length > 0 ? <Alert tone="warning">{t('unvouched', { names: providers.join(', ') })}</Alert> : null}
      <RolesGroup user={user} mayEdit={mayWrite}>
        {user.roles.length === 0 ? (
          <p className={`${box} px-4 py-3 text-ink-second`}>{t('noRoles')}</p>
        ) : (
          <dl className={`${box} divide-y divide-line`}>
            {placesOf(user.roles).map(([key, { organization, contractor, held }]) => (
              <div key={key} className="grid gap-x-4 gap-y-1.5 px-4 py-3 @min-[40rem]:grid-cols-[14rem_minmax(0,1fr)]">
                <dt className="wrap-anywhere text-ink-second text-table">
                  {contractor ? <span className="block text-ink">{contractor}</span> : null}
                  {organization ?? t('everywhere')}
                </dt>
                <dd className="flex flex-wrap items-start gap-1.5 text-table">
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
        )}
      </RolesGroup>
    </>
  )
}

/** The contractors of an account. */
export async function UserContractors({ user, mayWrite }: Omit<Props, 'ctx'>) {
  const t = await getTranslations('users')
  return (
    <ContractorsGroup user={user} mayEdit={mayWrite}>
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
    </ContractorsGroup>
  )
}
