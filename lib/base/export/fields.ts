import { choice, number, yesNo } from '../audit/entity'
import { exportTypes } from './query'

/** The audited fields of every export, in addition to the filters of its list. */
export const exportFields = {
  format: choice('history.exports.format', Object.keys(exportTypes), 'history.exports.formats'),
  rows: number('history.exports.rows'),
  complete: yesNo('history.exports.complete'),
}
