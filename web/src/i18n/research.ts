import {table} from './table';

export const research = table({title: 'Research'}, {title: 'Forschen'});
