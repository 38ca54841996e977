import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { readUserLimits } from '@/lib/entry/user-help/service'
import type { Ctx } from '@/lib/kernel/ctx'
import { LiftLimits } from './lift-limits'

/** What wrong passwords and codes have closed for somebody, and the button that opens it again. */
export async function Limits({ ctx, id, mayLift }: { ctx: Ctx; id: string; mayLift: boolean }) {
  const [t, { password, codes }] = await Promise.all([
    getTranslations('users'),
    readUserLimits(ctx, { params: { id } }),
  ])
  const counted = password.failures + codes.month > 0
  const state = (closed: boolean, text: string) => (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {text}
      {closed ? <Pill tone="danger">{t('limitClosed')}</Pill> : null}
    </span>
  )
  return (
    <CardGroup title={t('limits')} action={mayLift && counted ? <LiftLimits id={id} /> : null}>
      <KeyValues>
        <KeyValue label={t('wrongPasswords')}>
          {state(password.closed, t('inRow', { count: String(password.failures) }))}
        </KeyValue>
        <KeyValue label={t('wrongCodes')}>
          {state(codes.closed, t('codesCounted', { day: String(codes.day), month: String(codes.month) }))}
        </KeyValue>
      </KeyValues>
    </CardGroup>
  )
}
