import { useTranslations } from 'next-intl'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { CodeEntry } from '../../_ui/code-entry'
import { AttemptFields } from './attempt-form'
import type { FactorStepProps } from './factor-steps'
import { OtherFlows } from './other-flows'
import { SigningInAs } from './signing-in-as'

/** Asks for the code from a mail or an SMS. */
export function CodeStep({
  flow,
  attempt,
  others,
  back,
  failed,
  code,
  codeDigits,
}: Omit<FactorStepProps, 'newApp'> & { flow: CodeFlow }) {
  const t = useTranslations('entry.code')
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <CodeEntry
        flow={flow}
        code={code}
        codeDigits={codeDigits}
        failed={failed}
        sent={{ first: t(`${flow}.lead`, { count: codeDigits }), again: t(`${flow}.again`) }}
        advice={`${t(`${flow}.advice`)} ${t(`${flow}.nowhere`)}`}
        receiver={<SigningInAs identifier={attempt.identifier} back={back} />}
        fields={<AttemptFields attempt={attempt} flow={flow} />}
        resendForm="flow"
        {...(failed?.failure.kind === 'codeLimit' && { closed: null })}
      />
      <OtherFlows flows={others} attempt={attempt} />
    </div>
  )
}
