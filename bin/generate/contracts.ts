import { filesBelow, generated, identifier, type Made } from './source'

/** The contracts of every slice that has endpoints, and how these are loaded. */
export function contractIndex(): Made {
  const slices = filesBelow('lib', /^lib\/[^/]+\/[^/]+\/endpoints\.ts$/)
    .map((file) => file.replace(/^lib\/|\/endpoints\.ts$/g, ''))
    .filter((slice) => !slice.startsWith('base/'))
  return {
    file: 'lib/wiring/contracts.generated.ts',
    text: generated([
      ...slices.map((slice) => `import * as ${identifier(slice)} from '@/lib/${slice}/contract'`),
      '',
      '/** The exports of every contract.ts by its slice. */',
      'export const modules = {',
      ...slices.map((slice) => `  '${slice}': ${identifier(slice)},`),
      '} as const',
      '',
      '/** Loads the endpoints of a slice. */',
      'export const endpointsOf = {',
      ...slices.map((slice) => `  '${slice}': () => import('@/lib/${slice}/endpoints'),`),
      '} as const',
    ]),
  }
}
