import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { AddressText } from '@/components/ui/address-text'
import { DateTime } from '@/components/ui/date-time'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { UserCard } from '@/lib/accounts/administration/contract'
import { schemaChoices } from '@/lib/accounts/administration/service'
import { type UserBlock, userBlocks } from '@/lib/accounts/user-table/fields'
import type { Ctx } from '@/lib/base/context/ctx'
import { pictureIn } from '@/lib/fields/field-pictures/address'
import { isFilled, storedUnder } from '@/lib/fields/values/definition'
import { Agreements } from './agreements'
import { AccessGroup, BlockGroup } from './card-parts'
import { Factors } from './factors'
import { Limits } from './limits'

type Props = { ctx: Ctx; user: UserCard; mayWrite: boolean }
type Field = UserBlock['fields'][number]

/** The fields of an account by blocks, and beside them how it signs in and its dates. */
export async function UserMain({ ctx, user, mayWrite }: Props) {
  const [t, blocks, schemas] = await Promise.all([
    getTranslations('users'),
    userBlocks(ctx, user.provider?.id ?? null, user.values),
    schemaChoices(ctx),
  ])
  const { provider, externalId, authenticationSchema } = user
  return (
    <CardColumns
      side={
        <>
          <AccessGroup user={user} schemas={schemas} mayEdit={mayWrite}>
            <KeyValues>
              <KeyValue label={t('schema')}>
                {authenticationSchema ? authenticationSchema.name : <Quiet>{t('schemaOfRoles')}</Quiet>}
              </KeyValue>
              <KeyValue label={t('password')}>
                {provider ? (
                  <Quiet>{t('ofDirectory')}</Quiet>
                ) : user.hasPassword ? (
                  user.passwordChangedAt ? (
                    <span>
                      {t('passwordSet')} <DateTime value={user.passwordChangedAt} />
                    </span>
                  ) : (
                    t('hasPassword')
                  )
                ) : (
                  <Quiet>{t('noPassword')}</Quiet>
                )}
              </KeyValue>
              <KeyValue label={t('lastSeen')}>
                {user.lastSeenAt ? <DateTime value={user.lastSeenAt} /> : <Quiet>{t('neverSeen')}</Quiet>}
              </KeyValue>
              <KeyValue label={t('ownProfile')}>{t(user.isEditable ? 'editable' : 'locked')}</KeyValue>
            </KeyValues>
          </AccessGroup>
          <Factors ctx={ctx} id={user.id} mayReset={mayWrite} />
          <Limits ctx={ctx} id={user.id} mayLift={mayWrite} />
          <Agreements ctx={ctx} id={user.id} />
          <CardGroup title={t('record')}>
            <KeyValues>
              <KeyValue label={t('source')}>{provider?.name ?? t('madeHere')}</KeyValue>
              {externalId ? (
                <KeyValue label={t('externalId')}>
                  <Mono>{externalId}</Mono>
                </KeyValue>
              ) : null}
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
      {blocks.map((block) => (
        <BlockGroup
          key={block.id}
          user={user}
          block={block}
          note={
            block.fields.some(({ directory }) => directory) ? t('directoryNote', { name: provider?.name ?? '' }) : null
          }
          mayEdit={mayWrite && block.fields.some(({ edit, fieldType }) => edit && fieldType !== 'picture')}
        >
          <KeyValues>
            {block.fields.map((field) => (
              <KeyValue
                key={field.code}
                label={field.title}
                tall={field.fieldType === 'picture' && pictureIn(storedUnder(user.values, field.code)) !== null}
                {...(field.required ? { missing: t('valueMissing') } : {})}
              >
                {isFilled(storedUnder(user.values, field.code)) ? <Value user={user} field={field} /> : null}
              </KeyValue>
            ))}
          </KeyValues>
        </BlockGroup>
      ))}
    </CardColumns>
  )
}

const Quiet = ({ children }: { children: string }) => <span className="text-ink-second">{children}</span>

/** The value of a filled field; contacts also show whether they are proven. */
async function Value({ user, field }: { user: UserCard; field: Field }) {
  const t = await getTranslations('users')
  const value = storedUnder(user.values, field.code)
  const { base, code } = field
  if (base && code === 'login') return <Mono>{String(value)}</Mono>
  if (!base || (code !== 'email' && code !== 'mobile')) return <FieldValue field={field} value={value} />
  const is = code === 'email' ? user.emailVerified : user.mobileVerified
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {code === 'email' ? <AddressText>{String(value)}</AddressText> : <FieldValue field={field} value={value} />}
      <Pill tone={is ? 'ok' : 'neutral'}>{t(is ? 'proven' : 'unproven')}</Pill>
    </span>
  )
}
