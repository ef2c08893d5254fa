import {table} from './table';

export const teacher = table({title: 'Teach'}, {title: 'Unterrichten'});
