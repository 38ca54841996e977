import { filesBelow, generated, identifier, type Made } from './source'

/** Every `contract.ts` of the wings, for the list of calls. */
export function contractIndex(): Made {
  const slices = filesBelow('lib', /^lib\/[^/]+\/[^/]+\/contract\.ts$/)
    .map((file) => file.replace(/^lib\/|\/contract\.ts$/g, ''))
    .filter((slice) => !slice.startsWith('kernel/'))
  return {
    file: 'lib/context/contracts.generated.ts',
    text: generated([
      ...slices.map((slice) => `import * as ${identifier(slice)} from '@/lib/${slice}/contract'`),
      '',
      '/** The exports of every contract.ts. */',
      'export const modules: readonly Record<string, unknown>[] = [',
      ...slices.map((slice) => `  ${identifier(slice)},`),
      ']',
    ]),
  }
}
