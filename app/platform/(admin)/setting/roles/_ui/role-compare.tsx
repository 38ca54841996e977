'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { OptionList } from '@/components/form/option-list'
import { useRead } from '@/components/form/use-read'
import type { Option } from '@/components/form/use-search'
import { Button } from '@/components/ui/button'
import { DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import { Skeleton } from '@/components/ui/skeleton'
import { type Role, readRole, searchRoles } from '@/lib/access/roles/contract'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import { differences } from './role-copy'

const read = (id: string) => call(readRole, { params: { id } }).then(({ role }) => role)

/** Two roles beside each other: the methods that only one of them has. The person chooses the second one first. */
export function RoleCompare({ id }: { id: string }) {
  const t = useTranslations('roles')
  const locale = useLocale()
  const [otherId, setOtherId] = useState<string | null>(null)
  const [search] = useState(() => async (text: string, signal: AbortSignal): Promise<Option[]> => {
    const { roles } = await call(searchRoles, { query: text ? { searchValue: text } : {} }, { signal })
    return roles
      .filter((role) => role.id !== id)
      .map((role) => ({ value: role.id, label: localName(role, locale), note: t(`types.${role.roleType}`) }))
  })
  const { read: comparedRoles, retry } = useRead<[Role, Role]>(
    otherId ? () => Promise.all([read(id), read(otherId)]) : null,
    [id, otherId],
  )
  if (!otherId)
    return (
      <DialogBody className="grid content-start gap-3">
        <p className="text-ink-second">{t('compareChoose')}</p>
        <div className="overflow-clip rounded-card border border-line">
          <OptionList
            label={t('compareWith')}
            search={search}
            chosen={[]}
            onChoose={({ value }) => setOtherId(value)}
          />
        </div>
      </DialogBody>
    )
  if (comparedRoles === 'failed')
    return (
      <DialogBody>
        <PartFailed retry={retry} />
      </DialogBody>
    )
  if (!comparedRoles)
    return (
      <DialogBody className="grid gap-3 @min-[34rem]:grid-cols-2">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </DialogBody>
    )
  return (
    <DialogBody className="grid content-start gap-4">
      <Differences roles={comparedRoles} />
      <div>
        <Button variant="secondary" size="S" onClick={() => setOtherId(null)}>
          {t('compareOther')}
        </Button>
      </div>
    </DialogBody>
  )
}

function Differences({ roles: [first, second] }: { roles: [Role, Role] }) {
  const t = useTranslations('roles')
  const tp = useTranslations('roles.picker')
  const locale = useLocale()
  const [onlyInFirst, onlyInSecond] = differences(first, second, locale)
  const sides = [
    { role: first, groups: onlyInFirst },
    { role: second, groups: onlyInSecond },
  ]
  if (sides.every(({ groups }) => groups.length === 0)) return <p>{t('compareSame')}</p>
  return (
    <div className="@container">
      <div className="grid gap-4 @min-[34rem]:grid-cols-2">
        {sides.map(({ role, groups }) => (
          <section key={role.id} className="grid min-w-0 content-start gap-2 rounded-card border border-line p-4">
            <h3 className="wrap-anywhere font-semibold">{t('onlyIn', { name: localName(role, locale) })}</h3>
            {groups.length === 0 ? <p className="text-ink-second">{t('onlyInNone')}</p> : null}
            <dl className="grid gap-1.5">
              {groups.map((group) => (
                <div key={group.key} className="flex flex-wrap items-baseline gap-x-3">
                  <dt className="wrap-anywhere min-w-0 basis-40 text-ink-second text-note">
                    {group.application ? tp('application', { name: group.name ?? '' }) : (group.name ?? tp('special'))}
                  </dt>
                  <dd className="wrap-anywhere min-w-0 text-table">
                    {group.methods.map(({ label }) => label).join(', ')}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  )
}
